export { isRising, nextStepAt, type RolloutStatus, reportsErrors, resumed, type Tier } from './rollout-store.ts';
export { RolloutCounts, RolloutIn, RolloutState, Target, TierSchema } from './schemas.ts';
export { bucketOf, groupNames, policyValues } from './store.ts';
export { type UpdateRules, updateHold, updateRuleKeys } from './update-rules.ts';
