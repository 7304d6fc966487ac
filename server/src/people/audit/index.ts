export { auditRoutes } from './routes.ts';
export { purgeEvents, recordEvent, type SecurityEvent } from './store.ts';
