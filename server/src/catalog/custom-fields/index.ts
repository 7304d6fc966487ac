export { checkCustomFields } from './check.ts';
export { customFieldRoutes } from './routes.ts';
export { type CustomField, customFields } from './store.ts';
