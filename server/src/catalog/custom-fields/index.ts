export { checkCustomFields } from './check.ts';
export { type CustomField, customFields } from './store.ts';
