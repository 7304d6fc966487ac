export { allDocuments, documentsAfter, documentsOf, expectedFingerprints, largestFact } from './project.ts';
export { contentFields, itemsSchema, metadataFields, nameFields, numericFacts } from './schema.ts';
