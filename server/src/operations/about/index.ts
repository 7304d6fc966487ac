export { aboutRoutes, serviceRoutes } from './routes.ts';
export { diskRoutes } from './disk-routes.ts';
