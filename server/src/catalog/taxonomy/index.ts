export { type Classification, classify, extensionOf, shippedTaxonomy, type TaxonomyMap } from './classify.ts';
export { checkTaxonomyKeys, type LiveTaxonomy, loadTaxonomy } from './live.ts';
export { type RegistryCategory, type RegistryGroup, registryCategories, registryGroups } from './registry.ts';
export { seedTaxonomy } from './seed.ts';
export { taxonomyVersion } from './live.ts';
