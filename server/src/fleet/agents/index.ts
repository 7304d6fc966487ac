export { auditOf } from './enrolment.ts';
export { requireAgent } from './service.ts';
export { type AgentRow, librariesOf, lockAgent, recordHeartbeat, statusOf } from './store.ts';
