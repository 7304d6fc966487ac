export { type MetadataProfile, metadataProfiles, seedMetadataProfiles } from './profiles.ts';
export { type ProfileField, profiles } from './registry.ts';
