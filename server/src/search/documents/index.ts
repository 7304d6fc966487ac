export { documentsAfter, documentsOf, expectedFingerprints } from './project.ts';
export { contentFields, itemsSchema, nameFields, numericFacts } from './schema.ts';
