export { similarRoutes } from './http.ts';
