export { builderRoutes } from './routes.ts';
