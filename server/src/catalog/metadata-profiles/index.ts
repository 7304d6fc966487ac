export { type MetadataProfile, metadataProfiles, seedMetadataProfiles } from './profiles.ts';
export { type ProfileField, shippedProfiles } from './profiles.ts';
