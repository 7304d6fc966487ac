export { checkParity } from './check.ts';
export { projectionTasks } from './tasks.ts';
export { createProjector, type Projector } from './projector.ts';
export { type Drift, findDrift, mendDrift } from './reconcile.ts';
export { projectionRoutes } from './http.ts';
export { noteLibrary, outboxDepth } from './store.ts';
