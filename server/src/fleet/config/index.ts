export { isRising, nextStepAt, type RolloutStatus, reportsErrors, type Tier } from './rollout-store.ts';
export { RolloutCounts, RolloutIn, RolloutState, TierSchema } from './schemas.ts';
export { bucketOf } from './store.ts';
