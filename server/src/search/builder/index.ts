export { builderRoutes } from './http.ts';
