export { passagesSchema, passagesSchemaWith } from './passages-schema.ts';
export {
  allDocuments,
  divideByText,
  documentsAfter,
  documentsOf,
  expectedFingerprints,
  type ItemFacts,
  maxFactValue,
  type ProjectionOptions,
  plainName,
  sortedFactsOf,
} from './project.ts';
export {
  contentFields,
  type IndexedVectors,
  itemsSchema,
  itemsSchemaWith,
  metadataFields,
  nameFields,
  numericFacts,
  sortedFacts,
} from './schema.ts';
export { indexedModel, recordIndexedModel, wantedVectors } from './vectors.ts';
