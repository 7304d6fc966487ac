export { auditRoutes } from './http.ts';
export { purgeEvents, recordEvent, type SecurityEvent, type SecurityEventsTable } from './store.ts';
