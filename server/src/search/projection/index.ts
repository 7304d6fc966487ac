export { createLockedLoop, type LoopControls } from './locked-loop.ts';
export { createDamageReport, createProjector, type Projector } from './projector.ts';
export { pauseAfter, waitAfterFailure } from './rebuild-pause.ts';
export { findDrift, repairDrift } from './reconcile.ts';
export { addLibraryToOutbox, outboxDepth, readPause, readRebuild, requestNewRebuild, updateRebuild } from './store.ts';
export { waitForRebuild } from './wait-for-rebuild.ts';
