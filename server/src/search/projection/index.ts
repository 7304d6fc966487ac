export { createDamageReport, createProjector, type Projector } from './projector.ts';
export { findDrift, repairDrift } from './reconcile.ts';
export { addLibraryToOutbox, outboxDepth, readRebuild, requestNewRebuild } from './store.ts';
