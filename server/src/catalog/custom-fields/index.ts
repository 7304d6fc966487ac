export { checkCustomFields } from './check.ts';
export { customFieldRoutes } from './http.ts';
export { type CustomField, customFields } from './store.ts';
