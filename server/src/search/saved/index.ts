export { savedSearchRoutes } from './http.ts';
