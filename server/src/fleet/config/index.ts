export { isRising, nextStepAt, type RolloutStatus, reportsErrors, resumed, type Tier } from './rollout-store.ts';
export { RolloutCounts, RolloutIn, RolloutState, Target, TierSchema } from './schemas.ts';
export { bucketOf, groupNames } from './store.ts';
