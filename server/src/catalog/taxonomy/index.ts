export { type Classification, classify, extensionOf, shippedTaxonomy, type TaxonomyMap } from './classify.ts';
export { checkTaxonomyKeys, loadTaxonomy, taxonomyVersion } from './live.ts';
export { registryCategories } from './registry.ts';
export { seedTaxonomy } from './seed.ts';
