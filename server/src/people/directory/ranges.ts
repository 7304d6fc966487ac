import type { Client, Entry } from 'ldapts';
import { textsOf } from '../../platform/ldap/index.ts';

/** All values of an attribute. Active Directory returns long lists in ranges: member;range=0-1499, then the rest on request. */
export async function allValues(client: Pick<Client, 'search'>, entry: Entry, name: string): Promise<string[]> {
  const values = textsOf(entry[name]);
  for (let from: Entry | undefined = entry; from; ) {
    const key = rangeKey(from, name);
    if (!key) break;
    values.push(...textsOf(from[key]));
    // The last range ends in an asterisk.
    const end = /-(\d+)$/.exec(key)?.[1];
    if (end === undefined) break;
    const next = await client.search(entry.dn, { scope: 'base', attributes: [`${name};range=${Number(end) + 1}-*`] });
    from = next.searchEntries[0];
  }
  return values;
}

export const isRanged = (entry: Entry, name: string): boolean => rangeKey(entry, name) !== undefined;

const rangeKey = (entry: Entry, name: string): string | undefined =>
  Object.keys(entry).find((key) => key.toLowerCase().startsWith(`${name.toLowerCase()};range=`) && textsOf(entry[key]).length > 0);
