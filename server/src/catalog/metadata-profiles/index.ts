export { seedMetadataProfiles, shippedProfiles } from './profiles.ts';
