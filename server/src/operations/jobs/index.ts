export { reapAll } from './reap.ts';
