export { reapAll } from './reap.ts';
export { jobRoutes } from './http.ts';
