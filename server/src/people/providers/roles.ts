import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

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
