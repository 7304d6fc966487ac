import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { DirectoryObject } from './entries.ts';

/** Writes a page of objects. Unchanged ones are only marked as seen. Returns how many are new or changed. */
export async function upsertObjects(
  db: Db,
  source: string,
  sweepId: string,
  full: boolean,
  objects: readonly DirectoryObject[],
): Promise<number> {
  const { rows } = await sql<{ changed: number }>`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as x (object_guid text, object_sid text, sam_account_name text, display_name text,
        user_principal_name text, distinguished_name text, kind text, domain text, uid_number bigint, gid_number bigint, disabled boolean, member_of text[])),
    before as (select o.* from directory_objects o join given g using (object_guid) for update of o),
    written as (
      insert into directory_objects as o (object_guid, object_sid, sam_account_name, display_name, user_principal_name, distinguished_name, kind, domain,
        uid_number, gid_number, disabled, member_of, source_directory, sweep_id)
      select object_guid, object_sid, sam_account_name, display_name, user_principal_name, distinguished_name, kind, domain,
        uid_number, gid_number, disabled, coalesce(member_of, '{}'), ${source}, ${sweepId}::uuid from given order by object_guid
      on conflict (object_guid) do update set object_sid = excluded.object_sid, sam_account_name = excluded.sam_account_name,
        display_name = excluded.display_name, user_principal_name = excluded.user_principal_name, distinguished_name = excluded.distinguished_name,
        kind = excluded.kind, domain = excluded.domain, uid_number = excluded.uid_number, gid_number = excluded.gid_number,
        disabled = excluded.disabled,
        member_of = case when ${full} or excluded.member_of <> '{}' then excluded.member_of else o.member_of end, source_directory = excluded.source_directory,
        sweep_id = excluded.sweep_id, last_synced_at = now(), deleted_at = null
      returning o.object_guid, o.object_sid, o.sam_account_name, o.display_name, o.user_principal_name, o.distinguished_name, o.kind, o.disabled, o.member_of)
    select count(*)::int as changed from written w left join before b using (object_guid)
    where b.object_guid is null or b.deleted_at is not null
      or (b.object_sid, b.sam_account_name, b.display_name, b.user_principal_name, b.distinguished_name, b.kind, b.disabled)
        is distinct from (w.object_sid, w.sam_account_name, w.display_name, w.user_principal_name, w.distinguished_name, w.kind, w.disabled)
      or (w.member_of <> '{}' and b.member_of is distinct from w.member_of)`.execute(db);
  return one(rows).changed;
}

/** Adds memberships that groups list, where entries do not list their groups. */
export async function addListedMembers(db: Db, source: string, listed: readonly { member: string; group: string }[]): Promise<void> {
  await sql`update directory_objects o set member_of = array(select distinct unnest(o.member_of || n.groups))
    from (select member, array_agg(distinct "group") as groups
      from unnest(${listed.map(({ member }) => member)}::text[], ${listed.map(({ group }) => group)}::text[]) as l (member, "group") group by member) n
    where o.source_directory = ${source} and lower(o.distinguished_name) = n.member and not o.member_of @> n.groups`.execute(db);
}

/** Removes a group from those whom it no longer lists. */
export async function removeUnlistedMembers(db: Db, source: string, groupDn: string, memberDns: readonly string[]): Promise<void> {
  await sql`update directory_objects set member_of = array_remove(member_of, ${groupDn}::text)
    where source_directory = ${source} and member_of @> array[${groupDn}::text] and not (lower(distinguished_name) = any(${[...memberDns]}::text[]))`.execute(
    db,
  );
}

export async function hasObjects(db: Db, source: string, kind: 'user' | 'group'): Promise<boolean> {
  const { rows } =
    await sql`select from directory_objects where source_directory = ${source} and kind = ${kind} and deleted_at is null limit 1`.execute(
      db,
    );
  return rows.length > 0;
}

/** Marks what a completed full sweep did not see. */
export async function markUnseen(db: Db, source: string, sweepId: string): Promise<number> {
  const { numAffectedRows } = await sql`update directory_objects set deleted_at = now()
    where source_directory = ${source} and sweep_id <> ${sweepId}::uuid and deleted_at is null`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Marks the objects of all other directories as deleted and forgets how far those were read, so that one that returns is read completely.
 * Returns how many objects were marked.
 */
export async function retireSources(db: Db, labels: readonly string[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`delete from directory_sources where not (label = any(${labels}::text[]))`.execute(trx);
    const { numAffectedRows } = await sql`update directory_objects set deleted_at = now()
      where not (source_directory = any(${labels}::text[])) and deleted_at is null`.execute(trx);
    return Number(numAffectedRows ?? 0);
  });
}

/** Groups that people of a directory belong to and that were not read, such as those outside the base DN for groups. */
export async function countUnreadGroups(db: Db, source: string): Promise<number> {
  const { rows } = await sql<{ groups: number }>`select count(*)::int as groups from (
      select distinct of from directory_objects o cross join unnest(o.member_of) of
      where o.source_directory = ${source} and o.deleted_at is null and of not like 'sid:%'
      except select lower(distinguished_name) from directory_objects where source_directory = ${source} and deleted_at is null) unread`.execute(
    db,
  );
  return one(rows).groups;
}

interface SourceState {
  watermark: string | null;
  needs_full: boolean;
}

export async function readSource(db: Db, label: string): Promise<SourceState> {
  const { rows } = await sql<SourceState>`select watermark, last_full_at is null or last_full_at < now() - interval '7 days' as needs_full
    from directory_sources where label = ${label}`.execute(db);
  return rows[0] ?? { watermark: null, needs_full: true };
}

export async function startSource(db: Db, label: string): Promise<void> {
  await sql`insert into directory_sources (label) values (${label}) on conflict do nothing`.execute(db);
}

export async function saveSource(db: Db, label: string, watermark: string | null, full: boolean): Promise<void> {
  await sql`insert into directory_sources (label, watermark, last_full_at, last_synced_at)
    values (${label}, ${watermark}, case when ${full} then now() end, now())
    on conflict (label) do update set watermark = excluded.watermark, last_full_at = coalesce(excluded.last_full_at, directory_sources.last_full_at),
      last_synced_at = now(), last_error = null`.execute(db);
}

export async function saveSourceError(db: Db, label: string, error: string): Promise<void> {
  await sql`insert into directory_sources (label, last_error) values (${label}, ${error.slice(0, 500)})
    on conflict (label) do update set last_error = excluded.last_error`.execute(db);
}

export interface ObjectRow extends Omit<DirectoryObject, 'member_of' | 'uid_number' | 'gid_number'> {
  member_of_sids: string[];
  deleted: boolean;
  last_synced_at: Date;
  total: number;
}

interface ObjectFilter {
  q?: string | undefined;
  kind?: string | undefined;
  includeDeleted: boolean;
  limit: number;
  offset: number;
}

export async function listObjects(db: Db, { q, kind, includeDeleted, limit, offset }: ObjectFilter): Promise<ObjectRow[]> {
  const pattern = q ? `%${q.replace(/[\\%_]/g, '\\$&')}%` : null;
  const { rows } =
    await sql<ObjectRow>`select o.object_guid, o.object_sid, o.sam_account_name, o.display_name, o.user_principal_name, o.distinguished_name,
      o.kind as "kind", o.domain, o.disabled, o.deleted_at is not null as deleted, o.last_synced_at, count(*) over ()::int as total,
      array(select distinct g.object_sid from directory_objects g where g.kind = 'group' and g.object_sid is not null
        and (lower(g.distinguished_name) = any(o.member_of) or 'sid:' || g.object_sid = any(o.member_of)) order by 1) as member_of_sids
    from directory_objects o
    where (${pattern}::text is null or o.sam_account_name ilike ${pattern} or o.display_name ilike ${pattern} or o.user_principal_name ilike ${pattern}
        or o.object_sid ilike ${pattern})
      and (${kind ?? null}::text is null or o.kind = ${kind ?? null}) and (${includeDeleted} or o.deleted_at is null)
    order by lower(o.sam_account_name), o.object_guid limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export interface StatusRow {
  users: number;
  groups: number;
  computers: number;
  other: number;
}

export async function countObjects(db: Db): Promise<StatusRow> {
  const { rows } =
    await sql<StatusRow>`select count(*) filter (where kind = 'user')::int as users, count(*) filter (where kind = 'group')::int as groups,
      count(*) filter (where kind = 'computer')::int as computers, count(*) filter (where kind = 'other')::int as other
    from directory_objects where deleted_at is null`.execute(db);
  return one(rows);
}

export interface SourceRow {
  label: string;
  last_full_at: Date | null;
  last_synced_at: Date | null;
  last_error: string | null;
}

export async function listSources(db: Db): Promise<SourceRow[]> {
  const { rows } =
    await sql<SourceRow>`select label, last_full_at, last_synced_at, last_error from directory_sources order by label`.execute(db);
  return rows;
}

export interface AliasRow {
  alias: string;
  canonical: string;
  display: string | null;
  source: 'manual' | 'ldap';
  created_at: Date;
}

/** Aliases given by hand first, then the names of the directory. A SID that has both keeps the manual one. */
export async function listAliases(db: Db, q: string | undefined, limit: number, offset: number): Promise<AliasRow[]> {
  const pattern = q ? `%${q.replace(/[\\%_]/g, '\\$&')}%` : null;
  const { rows } = await sql<AliasRow>`select alias, canonical, display, source as "source", created_at from (
      select alias, canonical, display, 'manual' as source, created_at, 0 as rank from principal_aliases
      union all
      select o.object_sid, case when o.domain is not null and o.sam_account_name is not null then o.domain || '\\' || o.sam_account_name
          else coalesce(o.user_principal_name, o.sam_account_name, o.object_sid) end,
        coalesce(o.display_name, '') || case when o.deleted_at is not null then ' (deleted)' else '' end, 'ldap', o.last_synced_at, 1
      from directory_objects o where o.object_sid is not null and not exists (select 1 from principal_aliases a where a.alias = o.object_sid)) x
    where ${pattern}::text is null or alias ilike ${pattern} or canonical ilike ${pattern} or display ilike ${pattern}
    order by rank, lower(canonical), alias limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Returns how many were written; identifiers that the directory names are skipped unless `force`. */
export async function upsertAliases(
  db: Db,
  aliases: readonly { alias: string; canonical: string; display?: string | null | undefined }[],
  force: boolean,
): Promise<number> {
  const { numAffectedRows } = await sql`insert into principal_aliases (alias, canonical, display)
    select alias, canonical, display from (select distinct on (alias) * from jsonb_to_recordset(${JSON.stringify(aliases)}::jsonb) as x (alias text, canonical text, display text)) x
    where ${force} or exists (select 1 from principal_aliases a where a.alias = x.alias) or not exists (select 1 from directory_objects o where o.object_sid = x.alias)
    on conflict (alias) do update set canonical = excluded.canonical, display = excluded.display`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export async function deleteAlias(db: Db, alias: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from principal_aliases where alias = ${alias}`.execute(db);
  return numAffectedRows === 1n;
}
