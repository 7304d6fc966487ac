export { raiseClone, reportClone, requireNoClone } from './clones.ts';
export { createComeback } from './comeback.ts';
export { auditOf, issueToken } from './enrolment.ts';
export type { UpdateState } from './present.ts';
export { Label as AgentName, Labels } from './schemas.ts';
export { requireAgent } from './service.ts';
export { type AgentRow, expectedAway, librariesOf, lockAgent, recordHeartbeat, statusOf } from './store.ts';
