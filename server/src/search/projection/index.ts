export { checkParity } from './check.ts';
export { projectionTasks } from './jobs.ts';
export { createProjector, type Projector } from './projector.ts';
export { type Drift, findDrift, mendDrift } from './reconcile.ts';
export { projectionRoutes } from './routes.ts';
export { noteLibrary, outboxDepth } from './store.ts';
