export { logRoutes } from './http.ts';
