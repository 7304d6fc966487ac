export { allDocuments, documentsAfter, documentsOf, expectedFingerprints, largestFact } from './project.ts';
export { contentFields, itemsSchema, nameFields, numericFacts } from './schema.ts';
