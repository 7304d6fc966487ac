export { hydrate } from './hits.ts';
export { countMatches, type Partition, partitionsFor, scopeFilter, searchIndex, searchPartition } from './partitions.ts';
export { HitOut, SearchQuery } from './schemas.ts';
