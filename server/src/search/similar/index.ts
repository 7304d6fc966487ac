export { similarRoutes } from './routes.ts';
