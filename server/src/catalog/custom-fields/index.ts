export { checkCustomFields } from './store.ts';
export { type CustomField, customFields } from './store.ts';
