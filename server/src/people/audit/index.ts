export { auditRoutes } from './routes.ts';
export { purgeEvents, recordEvent, type SecurityEvent, type SecurityEventsTable } from './store.ts';
