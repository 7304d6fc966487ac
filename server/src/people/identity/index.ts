import './tables.ts';

export { openPrincipal } from './authenticate.ts';
export { type Owner, ownerOf, principalOfOwner } from './owner.ts';
