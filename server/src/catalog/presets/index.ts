export { extensionGroups } from './shipped.ts';
export { allPresets, checkPresetNames } from './service.ts';
export { effectivePresets, type ShippedPreset, shippedPresets } from './shipped.ts';
