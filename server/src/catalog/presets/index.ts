export * from './ignore/index.ts';
export { effectivePresets, type ShippedPreset, shippedPresets } from './shipped.ts';
