export { type Classification, classify, extensionOf, shippedTaxonomy, type TaxonomyMap } from './classify.ts';
export { type RegistryCategory, type RegistryGroup, registryCategories, registryGroups } from './registry.ts';
