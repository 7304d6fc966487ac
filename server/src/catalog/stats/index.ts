export { type LibraryCounts, libraryCounts } from './queries.ts';
export { catalogStatsRoutes } from './http.ts';
