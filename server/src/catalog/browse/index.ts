export { browseRoutes } from './http.ts';
