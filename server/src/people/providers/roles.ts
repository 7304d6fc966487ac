import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { readPlainConfig } from './config.ts';
import { fields } from './fields.ts';

export interface RoleRules {
  role_map: string | null;
  admin_groups: readonly string[];
  default_role: string;
}

/** The default role that refuses people for whom no rule gives a role. */
export const noRole = 'none';

/**
 * "value:role,value:role", or "value=>role;value=>role" for values that contain commas, such as DNs. Entries without a role are ignored here
 * and reported when the configuration is tested.
 */
export function parseRoleMap(text: string | null): { value: string; role: string }[] {
  if (!text) return [];
  const long = text.includes('=>');
  return text.split(long ? /[;\n]/ : /[,\n]/).flatMap((entry) => {
    const at = long ? entry.indexOf('=>') : entry.lastIndexOf(':');
    const value = entry.slice(0, at).trim();
    const role = entry.slice(at + (long ? 2 : 1)).trim();
    return at > 0 && value !== '' && role !== '' ? [{ value, role }] : [];
  });
}

/** The names of all roles, those with the most rights first. */
export async function rolesByRights(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from roles
    order by bypass desc, 'admin' = any(scopes) desc, 'write' = any(scopes) desc, cardinality(ceiling_actions) desc, name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The role with the most rights among those that the values give; else the default role; null when that refuses people. */
export function decideRole(
  roles: readonly string[],
  values: readonly string[],
  rules: RoleRules,
  from: string,
  comparable: (value: string) => string = (value) => value.toLowerCase(),
): { name: string; reason: string } | null {
  const given = new Set(values.map(comparable));
  const candidates = [...rules.admin_groups.map((value) => ({ value, role: 'admin' })), ...parseRoleMap(rules.role_map)].filter(
    ({ value }) => given.has(comparable(value)),
  );
  for (const name of roles) {
    const match = candidates.find(({ role }) => role === name);
    if (match) return { name, reason: `${from} ${match.value}` };
  }
  if (rules.default_role === noRole || !roles.includes(rules.default_role)) return null;
  return { name: rules.default_role, reason: 'default role' };
}

const titles = { oidc: 'OpenID Connect', ldap: 'LDAP' } as const;
const labels = { default_role: 'Role of everybody else', role_map: 'Role map' } as const;

const isNamed = (role: string, field: string, value: unknown): boolean =>
  field === 'default_role' ? value === role : parseRoleMap(value as string | null).some((entry) => entry.role === role);

/**
 * The fields and settings that give a role to people who sign in. Those of providers that are switched off count as well, because without the
 * role they would refuse people, or give them another one, as soon as they are on again.
 */
export async function namedAtSignIn({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, role: string): Promise<string[]> {
  const found: string[] = [];
  for (const provider of ['oidc', 'ldap'] as const) {
    const { values, fromConsole } = await readPlainConfig({ db, settings }, provider);
    for (const name of ['default_role', 'role_map'] as const)
      if (isNamed(role, name, values[name]))
        found.push(
          fromConsole.has(name)
            ? `“${labels[name]}” of ${titles[provider]} under Admin, Sign-in`
            : (fields[provider][name]?.setting ?? name),
        );
  }
  if (isNamed(role, 'default_role', settings.headerSignInDefaultRole)) found.push('SVC_HEADER_SIGN_IN_DEFAULT_ROLE');
  if (isNamed(role, 'role_map', settings.headerSignInRoleMap ?? null)) found.push('SVC_HEADER_SIGN_IN_ROLE_MAP');
  return found;
}
