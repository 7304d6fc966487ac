import type { Dependencies } from '../../platform/dependencies.ts';
import { countPeopleOf } from '../identity/index.ts';
import { readConfig, type Values } from './config.ts';
import { readDirectoryHosts } from './directory-hosts.ts';
import type { OidcConfig, Provider } from './fields.ts';
import { issuersOf } from './oidc/removed.ts';
import { providersOf } from './oidc/service.ts';
import { noRole, parseRoleMap } from './roles.ts';
import { countDependents, listRoleNames } from './store.ts';

type Reading = Pick<Dependencies, 'db' | 'settings'>;

/** The issuers and hosts at which people can sign in, as they are stored with identities. */
async function placesOf(deps: Reading, provider: Provider, change: Values = {}): Promise<string[]> {
  if (provider === 'oidc') {
    const { values } = await readConfig(deps, 'oidc', change);
    return providersOf(values as unknown as OidcConfig).map(({ issuer }) => issuer);
  }
  const { enabled, hosts } = await readDirectoryHosts(deps, { [provider]: change });
  return enabled ? hosts : [];
}

/** What people would notice if a change were saved. Empty when nobody is locked out. */
export async function lockoutWarnings(deps: Reading, provider: Provider, change: Values): Promise<string[]> {
  const warnings: string[] = [];
  const after = await placesOf(deps, provider, change);
  const places = (await placesOf(deps, provider)).filter((place) => !after.includes(place));
  const dependents = await countDependents(deps.db, provider === 'oidc' ? 'oidc' : 'ldap', places);
  const people = dependents === 1 ? 'One person signs' : `${dependents} people sign`;
  if (dependents > 0 && after.length === 0) warnings.push(`${people} in only this way and could no longer sign in.`);
  else if (dependents > 0)
    warnings.push(
      `${people} in with ${places.join(', ')} only. Without it they could not sign in, and with another ${provider === 'oidc' ? 'issuer' : 'server'} they would get new accounts.`,
    );
  warnings.push(...(await removalWarnings(deps, provider, change)));
  return provider === 'directory' ? warnings : [...warnings, ...(await roleWarnings(deps, provider, change))];
}

/** The issuers and hosts that are configured, also while people cannot sign in with them. */
async function configuredPlaces(deps: Reading, provider: Provider, change: Values = {}): Promise<string[]> {
  if (provider === 'oidc') return issuersOf((await readConfig(deps, 'oidc', change)).values);
  return (await readDirectoryHosts(deps, { [provider]: change })).hosts;
}

async function removalWarnings(deps: Reading, provider: Provider, change: Values): Promise<string[]> {
  const after = await configuredPlaces(deps, provider, change);
  const removed = (await configuredPlaces(deps, provider)).filter((place) => !after.includes(place));
  const people = await countPeopleOf(deps.db, provider === 'oidc' ? 'oidc' : 'ldap', removed);
  if (people === 0) return [];
  const whose = people === 1 ? 'The session of one person' : `The sessions of ${people} people`;
  const by = provider === 'oidc' ? 'provider' : 'directory';
  return [`${whose} from ${removed.join(', ')} would end, with the roles and groups that this ${by} gave.`];
}

async function roleWarnings(deps: Reading, provider: Provider, change: Values): Promise<string[]> {
  const { values } = await readConfig(deps, provider, change);
  if (values['enabled'] !== true) return [];
  const warnings: string[] = [];
  const roles = new Set(await listRoleNames(deps.db));
  const map = parseRoleMap(values['role_map'] as string | null);
  const unknown = map.filter(({ role }) => !roles.has(role)).map(({ role }) => role);
  if (unknown.length > 0) warnings.push(`The role map names roles that do not exist: ${[...new Set(unknown)].join(', ')}.`);
  const fallback = String(values['default_role']);
  if (fallback !== noRole && !roles.has(fallback))
    warnings.push(`No role is named "${fallback}", so people for whom no rule gives a role could not sign in.`);
  const refuses = fallback === noRole || !roles.has(fallback);
  const gives = map.some(({ role }) => roles.has(role)) || (values['admin_groups'] as readonly string[]).length > 0;
  if (refuses && !gives) warnings.push('No group or claim gives a role and there is no default role, so nobody could sign in this way.');
  return warnings;
}
