export { hydrate } from './hits.ts';
export { HitOut, SearchQuery } from './schemas.ts';
export { scopeFilter } from './partitions.ts';
export { searchIndex, searchPartition, countMatches, type Partition, partitionsFor } from './partitions.ts';
