import { type Client, type Entry, EqualityFilter } from 'ldapts';
import { bytesOf, commonName, comparableDn, decodeSid, encodeSid, escapeFilter, textsOf } from '../../../platform/ldap/index.ts';

const inChain = '1.2.840.113556.1.4.1941';
const maxGroups = 2000;
const maxDepth = 16;
const keptMs = 60_000;
const maxKept = 20_000;

/** The groups of groups, kept for a minute: they change rarely, and every sign-in needs them. */
export type GroupMemory = Map<string, { groups: readonly string[]; until: number }>;

export interface GroupSearch {
  groupBase: string | null;
  groupFilter: string;
  nested: boolean;
  memory: GroupMemory;
}

/** The DNs of all groups of a person: reported on the entry, found by search, the primary group, and the groups of those groups. */
export async function groupsOf(client: Client, user: Entry, { groupBase, groupFilter, nested, memory }: GroupSearch): Promise<string[]> {
  const found = new Map<string, string>();
  const add = (dn: string): boolean => {
    const key = comparableDn(dn);
    if (found.has(key) || found.size >= maxGroups) return false;
    found.set(key, dn);
    return true;
  };
  for (const dn of textsOf(user['memberOf'])) add(dn);
  if (!groupBase) return [...found.values()];
  const primary = await primaryGroup(client, user, groupBase);
  if (primary) add(primary);
  // The library returns requested attributes that the entry lacks as empty lists.
  const isWindows = bytesOf(user['objectSid']).length > 0;
  const search = async (filter: string): Promise<string[]> =>
    (await client.search(groupBase, { scope: 'sub', filter, attributes: ['1.1'], sizeLimit: maxGroups })).searchEntries.map(({ dn }) => dn);
  if (nested && isWindows) {
    // The server walks the chain itself; the primary group is not part of it.
    for (const dn of [user.dn, ...(primary ? [primary] : [])])
      for (const group of await search(`(member:${inChain}:=${escapeFilter(dn)})`)) add(group);
    return [...found.values()];
  }
  for (const dn of await search(groupFilter.replaceAll('{dn}', () => escapeFilter(user.dn)))) add(dn);
  const groupsOfGroup = async (dn: string): Promise<readonly string[]> => {
    const key = `${groupBase}\n${groupFilter}\n${comparableDn(dn)}`;
    const known = memory.get(key);
    if (known && known.until > Date.now()) return known.groups;
    const groups = await search(groupFilter.replaceAll('{dn}', () => escapeFilter(dn)));
    if (memory.size >= maxKept) memory.clear();
    memory.set(key, { groups, until: Date.now() + keptMs });
    return groups;
  };
  let level = [...found.values()];
  for (let depth = 1; nested && level.length > 0 && depth < maxDepth; depth++) {
    // Requests share the connection, so those of one level cost one round trip.
    const above = await Promise.all(level.map(groupsOfGroup));
    level = above.flat().filter(add);
  }
  return [...found.values()];
}

/** Active Directory does not list the primary group (usually Domain Users) among the members. */
async function primaryGroup(client: Client, user: Entry, groupBase: string): Promise<string | null> {
  const sid = decodeSid(bytesOf(user['objectSid']));
  const [rid] = textsOf(user['primaryGroupID']);
  const bytes = sid && rid ? encodeSid(`${sid.slice(0, sid.lastIndexOf('-'))}-${rid}`) : null;
  if (!bytes) return null;
  // A filter as text would damage the bytes.
  const filter = new EqualityFilter({ attribute: 'objectSid', value: bytes as never });
  const { searchEntries } = await client.search(groupBase, { scope: 'sub', filter, attributes: ['1.1'], sizeLimit: 2 });
  return searchEntries[0]?.dn ?? null;
}

/** Groups for `people/access`: the DN, and the common name if no other group of the person has the same. */
export function namedGroups(dns: readonly string[]): { id: string; name: string | null }[] {
  const counts = new Map<string, number>();
  for (const dn of dns) counts.set(nameOf(dn), (counts.get(nameOf(dn)) ?? 0) + 1);
  return dns.map((dn) => ({ id: dn, name: counts.get(nameOf(dn)) === 1 ? commonName(dn) : null }));
}

const nameOf = (dn: string): string => (commonName(dn) ?? '').toLowerCase();
