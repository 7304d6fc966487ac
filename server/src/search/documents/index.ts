export { allDocuments, documentsAfter, documentsOf, expectedFingerprints, type ItemFacts, largestFact } from './project.ts';
export { contentFields, itemsSchema, metadataFields, nameFields, numericFacts } from './schema.ts';
