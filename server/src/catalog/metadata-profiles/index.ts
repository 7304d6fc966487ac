export { seedMetadataProfiles } from './profiles.ts';
export { shippedProfiles } from './profiles.ts';
