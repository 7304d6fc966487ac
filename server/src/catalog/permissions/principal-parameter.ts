import { groupPrincipal, sidPrincipal } from '@catalog/scanner';
import { Type } from 'typebox';
import { fieldProblem } from '../../platform/problem.ts';
import { named } from './describe.ts';
import type { KnownPeople } from './known-people.ts';
import { type ResolvedPrincipal, resolvePrincipal } from './principals.ts';

export const PrincipalText = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^[^\\u0000]*$',
  description: 'A user or group name of this machine or a directory, `uid:1000`, `gid:100`, a SID, or `everyone`.',
});

/** Groups of the machine and of the directory; classes such as Authenticated Users are not listed. */
export const groupsOf = (who: ResolvedPrincipal, accounts: KnownPeople) =>
  [
    ...[...who.identity.gids].map((gid) => groupPrincipal(gid)),
    ...[...who.identity.sids].map((sid) => sidPrincipal(sid)).filter(({ kind, id }) => kind !== 'well_known' && !hasGid(id, accounts)),
  ]
    .filter(({ id }) => !who.ids.has(id))
    .map((principal) => named(principal, accounts));

const hasGid = (sid: string, { directory }: KnownPeople): boolean => typeof directory.bySid.get(sid)?.gid === 'number';

export function requirePrincipal(text: string, accounts: KnownPeople): ResolvedPrincipal {
  const who = resolvePrincipal(text, accounts);
  if (!who)
    throw fieldProblem(
      ['query', 'principal'],
      `No user or group is named "${text.slice(0, 80)}". Use a name of this machine or of the directory, uid:1000, gid:100, a SID, or everyone.`,
      'unknown_principal',
    );
  return who;
}
