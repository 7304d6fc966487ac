export { aboutRoutes, serviceRoutes } from './http.ts';
export { diskRoutes } from './http-disk.ts';
