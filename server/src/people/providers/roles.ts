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

/** The role with the most rights among those that the values give; else the default role; null when that refuses people. */
export async function decideRole(
  db: Db,
  values: readonly string[],
  rules: RoleRules,
  from: string,
  comparable: (value: string) => string = (value) => value.toLowerCase(),
): Promise<{ name: string; reason: string } | null> {
  const { rows } = await sql<{ name: string }>`select name from roles
    order by bypass desc, 'admin' = any(scopes) desc, 'write' = any(scopes) desc, cardinality(ceiling_actions) desc, name`.execute(db);
  const given = new Set(values.map(comparable));
  const candidates = [...rules.admin_groups.map((value) => ({ value, role: 'admin' })), ...parseRoleMap(rules.role_map)].filter(
    ({ value }) => given.has(comparable(value)),
  );
  for (const { name } of rows) {
    const match = candidates.find(({ role }) => role === name);
    if (match) return { name, reason: `${from} ${match.value}` };
  }
  if (rules.default_role === noRole || !rows.some(({ name }) => name === rules.default_role)) return null;
  return { name: rules.default_role, reason: 'default role' };
}
