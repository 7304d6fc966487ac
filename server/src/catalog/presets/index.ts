export { extensionGroups } from './shipped.ts';
export { checkPresetNames } from './service.ts';
export { effectivePresets, shippedPresets } from './shipped.ts';
