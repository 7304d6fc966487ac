export { checkPresetNames } from './service.ts';
export { effectivePresets, extensionGroups, shippedPresets } from './shipped.ts';
