import { everyone, type FilePrincipal, type Identity, ownersOf } from '@catalog/scanner';
import { sql } from 'kysely';
import {
  decideAccess,
  isOrphaned,
  knownPeople,
  labelOf,
  loadClasses,
  principalsIn,
  resolvePrincipal,
} from '../../../catalog/permissions/index.ts';
import { fieldProblem } from '../../../platform/problem.ts';
import type { ReportDefinition, ReportScope } from '../contract.ts';
import { column, itemColumns, itemReport, itemTables } from './columns.ts';

/** Files and bytes of each access class by library, counted over files whose permissions the caller may see. */
const countedClasses = (scope: ReportScope) => sql`select i.library_id, i.access_class, count(*) as files, sum(i.size) as bytes from items i
  where i.access_class is not null and ${scope.items('i')} and ${scope.permissions('i')} group by 1, 2`;

export async function chosenPrincipal(scope: ReportScope, field: 'principal' | 'other_principal') {
  const text = (field === 'principal' ? scope.principal : scope.otherPrincipal) ?? 'everyone';
  const who = resolvePrincipal(text, await knownPeople(scope.db));
  if (!who)
    throw fieldProblem(
      ['query', field],
      `No user or group is named "${text.slice(0, 80)}". Use a name of this machine or of the directory, uid:1000, gid:100, a SID, or everyone.`,
      'unknown_principal',
    );
  return who;
}

const kindOf = ({ id, kind }: FilePrincipal): string =>
  id.startsWith('uid:') ? 'user' : id.startsWith('gid:') ? 'group' : id.startsWith('S-1-') ? 'Windows identifier' : kind;

const byPrincipal: ReportDefinition = {
  id: 'permissions_by_principal',
  title: 'Access by person and group',
  description: 'People and groups that permissions name, with the files they own and can effectively read and change through them.',
  group: 'access',
  rowLink: 'person',
  library: true,
  folder: true,
  principal: { default: null },
  defaultLimit: 1000,
  columns: [
    column.libraryId,
    { key: 'row_key', label: 'Row', type: 'text', hidden: true },
    { key: 'principal', label: 'Person or group', type: 'text' },
    { key: 'principal_id', label: 'Identifier', type: 'text' },
    { key: 'kind', label: 'Kind', type: 'text' },
    column.library,
    { key: 'readable', label: 'Can read', type: 'integer' },
    { key: 'writable', label: 'Can change', type: 'integer' },
    { key: 'owned', label: 'Owns', type: 'integer' },
    { ...column.fileCount, label: 'Files naming it', sum: false },
    { ...column.totalBytes, sum: false },
  ],
  order: [{ key: 'file_count', descending: true }],
  rowKey: { key: 'row_key', type: 'text' },
  async rows(scope) {
    const people = await knownPeople(scope.db);
    const only = scope.principal === null ? null : await chosenPrincipal(scope, 'principal');
    const named = [...(await loadClasses(scope.db)).values()].flatMap((access) =>
      principalsIn(access.acl)
        .filter((principal) => (only ? only.ids.has(principal.id) : principal.kind !== 'well_known'))
        .map((principal) => {
          const who = resolvePrincipal(principal.id, people);
          const may = (right: 'read' | 'write'): boolean => who !== null && decideAccess(access, who.identity, right).allowed;
          return {
            class: access.id,
            id: principal.id,
            name: labelOf(principal, people),
            kind: kindOf(principal),
            reads: may('read'),
            writes: may('write'),
            owns: ownersOf(access.acl).owner.id === principal.id,
          };
        }),
    );
    return sql`select c.library_id, n.id || ' ' || c.library_id as row_key, n.name as principal, n.id as principal_id, n.kind, l.name as library,
        coalesce(sum(c.files) filter (where n.reads), 0)::bigint as readable, coalesce(sum(c.files) filter (where n.writes), 0)::bigint as writable,
        coalesce(sum(c.files) filter (where n.owns), 0)::bigint as owned, sum(c.files)::bigint as file_count, sum(c.bytes)::bigint as total_bytes
      from (${countedClasses(scope)}) c join libraries l on l.id = c.library_id
        join jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n (class int, id text, name text, kind text, reads boolean, writes boolean, owns boolean)
          on n.class = c.access_class
      group by c.library_id, n.id, n.name, n.kind, l.name`;
  },
};

/** Everybody who has signed in at all, as Windows and Samba see them. */
const signedIn: Identity = { ...everyone, sids: new Set(['S-1-1-0', 'S-1-5-11', 'S-1-5-32-545']) };

const broadAccess: ReportDefinition = itemReport({
  id: 'permissions_broad_access',
  title: 'Files that everybody can change or read',
  description: 'Effective access of everyone, authenticated users included. A closed folder above a file and denied access count.',
  group: 'access',
  columns: [
    column.relPath,
    column.library,
    { key: 'access', label: 'Everybody can', type: 'text' },
    { key: 'owner', label: 'Owner', type: 'text' },
    { ...column.size, sum: false },
  ],
  order: [
    { key: 'access', descending: false },
    { key: 'rel_path', descending: false },
  ],
  async rows(scope) {
    const people = await knownPeople(scope.db);
    const broad = [...(await loadClasses(scope.db)).values()].flatMap((access) => {
      const write = decideAccess(access, signedIn, 'write').allowed;
      if (!write && !decideAccess(access, signedIn, 'read').allowed) return [];
      return { class: access.id, access: write ? 'change' : 'read', owner: labelOf(ownersOf(access.acl).owner, people) };
    });
    return sql`select ${itemColumns}, n.access, n.owner, i.size ${itemTables}
      join jsonb_to_recordset(${JSON.stringify(broad)}::jsonb) as n (class int, access text, owner text) on n.class = i.access_class
      where ${scope.items('i')} and ${scope.permissions('i')}`;
  },
});

const orphans: ReportDefinition = {
  id: 'permissions_orphaned',
  title: 'Orphaned identifiers',
  description:
    'Users, groups and Windows identifiers in permissions that belong to nobody any more: without a name, or deleted from the directory.',
  group: 'access',
  rowLink: 'person',
  library: true,
  folder: true,
  defaultLimit: 1000,
  columns: [
    column.libraryId,
    { key: 'row_key', label: 'Row', type: 'text', hidden: true },
    { key: 'principal', label: 'Name', type: 'text' },
    { key: 'principal_id', label: 'Identifier', type: 'text' },
    { key: 'kind', label: 'Kind', type: 'text' },
    { key: 'used_as', label: 'Used as', type: 'text' },
    column.library,
    { ...column.fileCount, sum: false },
    { ...column.totalBytes, sum: false },
  ],
  order: [{ key: 'file_count', descending: true }],
  rowKey: { key: 'row_key', type: 'text' },
  async rows(scope) {
    const people = await knownPeople(scope.db);
    const found = [...(await loadClasses(scope.db)).values()].flatMap(({ id: classId, acl }) => {
      const { owner, group } = ownersOf(acl);
      return principalsIn(acl)
        .filter((principal) => isOrphaned(principal, people))
        .map((principal) => ({
          class: classId,
          id: principal.id,
          name: labelOf(principal, people),
          kind: kindOf(principal),
          as: principal.id === owner.id ? 'owner' : principal.id === group.id ? 'group' : 'entry',
        }));
    });
    return sql`select c.library_id, n.id || ' ' || n."as" || ' ' || c.library_id as row_key, n.name as principal, n.id as principal_id, n.kind, n."as" as used_as, l.name as library,
        sum(c.files)::bigint as file_count, sum(c.bytes)::bigint as total_bytes
      from (${countedClasses(scope)}) c join libraries l on l.id = c.library_id
        join jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as n (class int, id text, name text, kind text, "as" text) on n.class = c.access_class
      group by c.library_id, n.id, n.name, n.kind, n."as", l.name`;
  },
};

export const permissionReports = [byPrincipal, broadAccess, orphans];
