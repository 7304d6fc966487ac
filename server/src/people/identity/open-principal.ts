import type { Principal } from '../../platform/principal.ts';

/** The principal of every caller when SVC_AUTH_ENABLED=false. */
export const openPrincipal: Principal = {
  kind: 'open',
  id: null,
  name: 'everyone',
  role: 'admin',
  scopes: ['admin'],
  carrier: 'open',
  bypass: true,
};
