export { createLockedLoop, type LoopControls } from './locked-loop.ts';
export { createDamageReport, createProjector, type Projector } from './projector.ts';
export { findDrift, repairDrift } from './reconcile.ts';
export { addLibraryToOutbox, outboxDepth, readRebuild, requestNewRebuild, updateRebuild } from './store.ts';
export { waitForRebuild } from './wait-for-rebuild.ts';
