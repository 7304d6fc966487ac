export { createProjector, type Projector } from './projector.ts';
export { type Drift, findDrift, repairDrift as mendDrift } from './reconcile.ts';
export { addLibraryToOutbox as noteLibrary, outboxDepth } from './store.ts';
