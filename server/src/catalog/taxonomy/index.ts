export { type Classification, classify, shippedTaxonomy, type TaxonomyMap } from './classify.ts';
export { checkTaxonomyKeys, loadTaxonomy } from './live.ts';
export { registryCategories } from './registry.ts';
export { seedTaxonomy } from './seed.ts';
export { taxonomyVersion } from './live.ts';
