export { findAllHits } from './all-hits.ts';
export { hydrate } from './hits.ts';
export { matchingIds } from './matching.ts';
export { countMatches, type Partition, partitionsFor, scopeFilter, searchIndex, searchPartition } from './partitions.ts';
export { HitOut, type SearchParams, SearchQuery } from './schemas.ts';
