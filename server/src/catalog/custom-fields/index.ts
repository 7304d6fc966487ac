export { checkCustomFields, customFields } from './store.ts';
