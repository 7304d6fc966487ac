export { searchRoutes } from './routes.ts';
export { ask } from './service.ts';
