export { aboutRoutes } from './routes.ts';
