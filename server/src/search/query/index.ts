export { hydrate } from './hydrate.ts';
export { HitOut, SearchQuery } from './schemas.ts';
export { scopeFilter } from './scope-filter.ts';
export {
  searchIndex as ask,
  searchPartition as askShare,
  countMatches,
  type Partition as Share,
  partitionsFor as sharesOf,
} from './shares.ts';
