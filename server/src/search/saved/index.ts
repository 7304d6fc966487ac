export { findReadable } from './service.ts';
export { findSaved } from './store.ts';
