export { auditOf, issueToken } from './enrolment.ts';
export type { UpdateState } from './present.ts';
export { Label as AgentName, Labels } from './schemas.ts';
export { reportClone, requireAgent } from './service.ts';
export { type AgentRow, expectedAway, librariesOf, lockAgent, recordHeartbeat, statusOf } from './store.ts';
