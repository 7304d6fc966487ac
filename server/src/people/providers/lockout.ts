import type { Dependencies } from '../../platform/dependencies.ts';
import { readConfig, type Values } from './config.ts';
import type { Provider } from './fields.ts';
import { noRole, parseRoleMap } from './roles.ts';
import { countDependents, listRoleNames } from './store.ts';

/** What people would notice if a change were saved. Empty when nobody is locked out. */
export async function lockoutWarnings(
  deps: Pick<Dependencies, 'db' | 'settings'>,
  provider: Exclude<Provider, 'directory'>,
  change: Values,
): Promise<string[]> {
  const { values: before } = await readConfig(deps, provider);
  const { values: after } = await readConfig(deps, provider, change);
  const warnings: string[] = [];
  const identifiedBy = provider === 'oidc' ? 'issuer' : 'server';
  const dependents = await countDependents(deps.db, provider, provider === 'oidc' ? String(before['issuer'] ?? '') : null);
  const people = dependents === 1 ? 'One person signs' : `${dependents} people sign`;
  if (dependents > 0 && before['enabled'] === true && after['enabled'] !== true)
    warnings.push(`${people} in only this way and could no longer sign in.`);
  else if (provider === 'oidc' && dependents > 0 && before[identifiedBy] !== after[identifiedBy])
    warnings.push(`${people} in with ${String(before[identifiedBy])} only. With another issuer they would get new accounts.`);
  if (after['enabled'] !== true) return warnings;
  const roles = new Set(await listRoleNames(deps.db));
  const map = parseRoleMap(after['role_map'] as string | null);
  const unknown = map.filter(({ role }) => !roles.has(role)).map(({ role }) => role);
  if (unknown.length > 0) warnings.push(`The role map names roles that do not exist: ${[...new Set(unknown)].join(', ')}.`);
  const refuses = after['default_role'] === noRole || !roles.has(String(after['default_role']));
  const gives = map.some(({ role }) => roles.has(role)) || (after['admin_groups'] as readonly string[]).length > 0;
  if (refuses && !gives) warnings.push('No group or claim gives a role and there is no default role, so nobody could sign in this way.');
  return warnings;
}
