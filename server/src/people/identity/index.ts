import './tables.ts';

export { openPrincipal } from './authenticate.ts';
