export { checkCustomFields } from './store.ts';
export { customFields } from './store.ts';
