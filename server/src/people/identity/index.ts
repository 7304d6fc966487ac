import './tables.ts';

export { usersExist } from './accounts.ts';
export { openPrincipal } from './authenticate.ts';
