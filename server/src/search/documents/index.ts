export { allDocuments, documentsAfter, documentsOf, expectedFingerprints, type ItemFacts, maxFactValue } from './project.ts';
export { contentFields, itemsSchema, metadataFields, nameFields, numericFacts } from './schema.ts';
