export { reapAll } from './reap.ts';
export { jobRoutes } from './routes.ts';
