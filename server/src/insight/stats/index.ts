export { statsRoutes } from './http.ts';
