export { hydrate } from './hydrate.ts';
export { HitOut, SearchQuery } from './schemas.ts';
export { scopeFilter } from './scope-filter.ts';
export { ask, askShare, countMatches, type Share, sharesOf } from './shares.ts';
