export { recordEvent, type SecurityEvent, type SecurityEventsTable } from './store.ts';
