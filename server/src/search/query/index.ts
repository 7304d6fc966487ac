export { federatedRoutes } from './federated.ts';
export { pruneInterest } from './frecency.ts';
export { hydrate } from './hydrate.ts';
export { searchRoutes } from './http.ts';
export { HitOut, SearchQuery } from './schemas.ts';
export { scopeFilter } from './scope-filter.ts';
export { ask, askShare, countMatches, type Share, sharesOf } from './shares.ts';
