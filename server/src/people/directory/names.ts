import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/** A user, group or computer of a directory, as far as file permissions need it. */
export interface DirectoryEntry {
  sid: string | null;
  uid: number | null;
  gid: number | null;
  kind: 'user' | 'group' | 'computer' | 'other';
  account: string | null;
  domain: string | null;
  upn: string | null;
  /** Neither deleted nor disabled. */
  active: boolean;
  deleted: boolean;
  /** Direct groups. */
  groups: readonly DirectoryEntry[];
}

/** Names of identifiers: given by hand, or read from the directories. A name given by hand wins. */
export interface DirectoryNames {
  bySid: ReadonlyMap<string, DirectoryEntry>;
  byUid: ReadonlyMap<number, DirectoryEntry>;
  byGid: ReadonlyMap<number, DirectoryEntry>;
  /** By account, `DOMAIN\account` or user principal name, in lower case. */
  byName: ReadonlyMap<string, DirectoryEntry>;
  aliases: ReadonlyMap<string, string>;
  /** Identifiers by the name or display name that was given to them, in lower case. */
  identifiers: ReadonlyMap<string, string>;
  users: readonly DirectoryEntry[];
}

const cache = new WeakMap<Db, { generation: number; names: Promise<DirectoryNames> }>();

/** Read again only after a change: every write to the directory or the aliases renews the generation. */
export async function directoryNames(db: Db): Promise<DirectoryNames> {
  const { rows } = await sql<{ generation: number }>`select generation from directory_generation`.execute(db);
  const { generation } = one(rows);
  const known = cache.get(db);
  if (known?.generation === generation) return known.names;
  const names = readNames(db);
  cache.set(db, { generation, names });
  names.catch(() => cache.delete(db));
  return names;
}

interface NameRow {
  object_sid: string | null;
  sam_account_name: string | null;
  user_principal_name: string | null;
  dn: string;
  kind: DirectoryEntry['kind'];
  domain: string | null;
  uid_number: number | null;
  gid_number: number | null;
  active: boolean;
  deleted: boolean;
  member_of: string[];
}

async function readNames(db: Db): Promise<DirectoryNames> {
  const { rows } = await sql<NameRow>`
    select object_sid, sam_account_name, user_principal_name, lower(distinguished_name) as dn, kind as "kind", domain, uid_number, gid_number,
      not disabled and deleted_at is null as active, deleted_at is not null as deleted, member_of
    from directory_objects order by deleted_at is not null, kind = 'other', object_guid`.execute(db);
  const aliases = await sql<{ alias: string; canonical: string; display: string | null }>`
    select alias, canonical, display from principal_aliases order by alias`.execute(db);
  const names = {
    bySid: new Map<string, DirectoryEntry>(),
    byUid: new Map<number, DirectoryEntry>(),
    byGid: new Map<number, DirectoryEntry>(),
    byName: new Map<string, DirectoryEntry>(),
    aliases: new Map(aliases.rows.map(({ alias, canonical }) => [alias, canonical])),
    identifiers: new Map<string, string>(),
    users: [] as DirectoryEntry[],
  };
  for (const { alias, canonical, display } of aliases.rows)
    for (const name of [canonical, display]) if (name) addOnce(names.identifiers, name.toLowerCase(), alias);
  const byDn = new Map<string, DirectoryEntry>();
  const entries = rows.map((row) => ({ row, entry: toEntry(row) }));
  for (const { row, entry } of entries) {
    addOnce(byDn, row.dn, entry);
    if (entry.sid) addOnce(names.bySid, entry.sid, entry);
    if (entry.kind === 'group') {
      if (entry.gid !== null) addOnce(names.byGid, entry.gid, entry);
    } else if (entry.uid !== null) addOnce(names.byUid, entry.uid, entry);
    for (const name of [entry.account, canonicalName(entry), entry.upn]) if (name) addOnce(names.byName, name.toLowerCase(), entry);
    if (entry.kind === 'user' && entry.active) names.users.push(entry);
  }
  for (const { row, entry } of entries) {
    const groups = row.member_of.flatMap((of) => (of.startsWith('sid:') ? names.bySid.get(of.slice(4)) : byDn.get(of)) ?? []);
    const active = groups.filter(({ kind, deleted }) => kind === 'group' && !deleted);
    // A placeholder for somebody of another domain has the same SID, so its groups are theirs.
    const person = entry.kind === 'other' && entry.sid && !entry.deleted ? (names.bySid.get(entry.sid) ?? entry) : entry;
    person.groups = [...person.groups, ...active];
  }
  return names;
}

const toEntry = (row: NameRow): DirectoryEntry => ({
  sid: row.object_sid,
  uid: row.uid_number,
  gid: row.gid_number,
  kind: row.kind,
  account: row.sam_account_name,
  domain: row.domain,
  upn: row.user_principal_name,
  active: row.active,
  deleted: row.deleted,
  groups: [],
});

/** Rows that exist come before deleted ones, so the first of several with one identifier is kept. */
function addOnce<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

/** `DOMAIN\account`, or what is known instead. */
export const canonicalName = ({ domain, account, upn, sid }: DirectoryEntry): string | null =>
  domain && account ? `${domain}\\${account}` : (upn ?? account ?? sid);

/** All groups of an entry, groups of groups included. A circle of groups ends where it was entered. */
export function nestedGroups(entry: DirectoryEntry): Set<DirectoryEntry> {
  const found = new Set<DirectoryEntry>();
  const open = [...entry.groups];
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...next.groups);
  }
  return found;
}
