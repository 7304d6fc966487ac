export { createProjector, type Projector } from './projector.ts';
export { type Drift, findDrift, mendDrift } from './reconcile.ts';
export { noteLibrary, outboxDepth } from './store.ts';
