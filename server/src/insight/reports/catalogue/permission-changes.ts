import { ownersOf } from '@catalog/scanner';
import { type RawBuilder, sql } from 'kysely';
import { compareAcls, explicitDifference, findAcls, knownPeople, labelOf, summarize } from '../../../catalog/permissions/index.ts';
import { withinSeconds } from '../../../platform/database/index.ts';
import type { ReportDefinition, ReportScope } from '../contract.ts';
import { pathColumns } from '../paths.ts';
import { column, itemColumns, itemReport, itemTables, milliseconds } from './columns.ts';

interface Pair {
  first: number;
  second: number;
}

/** Pairs of lists that occur, which are few however many files there are. An export may wait longer than a page. */
const pairSeconds = 60;
const pairsOf = (scope: ReportScope, query: RawBuilder<Pair>): Promise<Pair[]> => withinSeconds(scope.db, pairSeconds, query);

const changes: ReportDefinition = {
  id: 'permission_changes',
  title: 'Permission changes',
  description: 'Files and folders whose permissions changed between two dates, with what was added, removed and modified.',
  group: 'access',
  rowLink: 'none',
  library: true,
  folder: true,
  dates: { defaultDays: 30 },
  defaultLimit: 1000,
  paths: true,
  columns: [
    column.libraryId,
    { key: 'change_id', label: 'Change', type: 'integer', hidden: true },
    column.relPath,
    column.library,
    { key: 'what', label: 'What', type: 'text' },
    { key: 'changed_at', label: 'Found', type: 'time' },
    { key: 'owner_before', label: 'Owner before', type: 'text' },
    { key: 'owner_after', label: 'Owner after', type: 'text' },
    { key: 'added', label: 'Added', type: 'integer' },
    { key: 'removed', label: 'Removed', type: 'integer' },
    { key: 'modified', label: 'Modified', type: 'integer' },
    { key: 'details', label: 'Details', type: 'text' },
    ...pathColumns,
  ],
  order: [{ key: 'changed_at', descending: true }],
  rowKey: { key: 'change_id', type: 'bigint' },
  async rows(scope) {
    const within = sql`c.changed_at > ${scope.since} and c.changed_at <= ${scope.until}`;
    const pairs = await pairsOf(
      scope,
      sql<Pair>`select distinct c.before_acl as first, c.after_acl as second from permission_changes c where ${within}`,
    );
    const people = await knownPeople(scope.db);
    const acls = await findAcls(scope.db, [...new Set(pairs.flatMap(({ first, second }) => [first, second]))]);
    const compared = pairs.flatMap(({ first, second }) => {
      const [before, after] = [acls.get(first), acls.get(second)];
      if (!before || !after) return [];
      const difference = compareAcls(before, after);
      return {
        first,
        second,
        owner_before: labelOf(ownersOf(before).owner, people),
        owner_after: labelOf(ownersOf(after).owner, people),
        added: difference.added.length,
        removed: difference.removed.length,
        modified: difference.modified.length,
        details: summarize(difference, (principal) => labelOf(principal, people)),
      };
    });
    return sql`select p.library_id, p.id as change_id, p.rel_path, l.name as library, p.what, ${milliseconds('p.changed_at')} as changed_at,
        n.owner_before, n.owner_after, n.added, n.removed, n.modified, n.details
      from (
        select c.id, coalesce(i.library_id, f.library_id) as library_id, coalesce(i.rel_path, f.rel_path) as rel_path, case when c.item_id is null then 'folder' else 'file' end as what,
          c.changed_at, c.before_acl, c.after_acl
        from permission_changes c left join items i on i.id = c.item_id left join folders f on f.id = c.folder_id where ${within}) p
      join libraries l on l.id = p.library_id
      join jsonb_to_recordset(${JSON.stringify(compared)}::jsonb) as n (first int, second int, owner_before text, owner_after text, added bigint, removed bigint, modified bigint, details text)
        on n.first = p.before_acl and n.second = p.after_acl
      where ${scope.paths('p')} and ${scope.permissionsOfPaths('p')}`;
  },
};

/** Pairs of a list and the list of its folder that deviate, with what differs. */
async function deviating(scope: ReportScope, pairs: readonly Pair[], areFolders: boolean) {
  const people = await knownPeople(scope.db);
  const acls = await findAcls(scope.db, [...new Set(pairs.flatMap(({ first, second }) => [first, second]))]);
  return pairs.flatMap(({ first, second }) => {
    const [own, parent] = [acls.get(first), acls.get(second)];
    const details = own && parent ? explicitDifference(own, parent, areFolders, (principal) => labelOf(principal, people)) : null;
    return details === null || !own ? [] : { first, second, details, owner: labelOf(ownersOf(own).owner, people) };
  });
}

const filesInFolders = (scope: ReportScope): RawBuilder<unknown> => sql`items i join folders f on f.id = i.folder_id
  join access_classes c on c.id = i.access_class where ${scope.items('i')} and ${scope.permissions('i')}`;
const filePairs = (scope: ReportScope) =>
  pairsOf(scope, sql<Pair>`select distinct c.acl_id as first, f.acl_id as second from ${filesInFolders(scope)} and f.acl_id is not null`);

const outliers: ReportDefinition = itemReport({
  id: 'permissions_explicit_outliers',
  title: 'Files that deviate from their folder',
  description:
    'Files with access of their own: entries that their folder does not have or pass on, and entries of the folder that they lack.',
  group: 'access',
  columns: [
    column.relPath,
    column.library,
    { key: 'details', label: 'Difference', type: 'text' },
    { key: 'owner', label: 'Owner', type: 'text' },
    { ...column.size, sum: false },
  ],
  order: [
    { key: 'library', descending: false },
    { key: 'rel_path', descending: false },
  ],
  async rows(scope) {
    const found = await deviating(scope, await filePairs(scope), false);
    return sql`select ${itemColumns}, n.details, n.owner, i.size ${itemTables} join folders f on f.id = i.folder_id join access_classes c on c.id = i.access_class
      join jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as n (first int, second int, details text, owner text) on n.first = c.acl_id and n.second = f.acl_id
      where ${scope.items('i')} and ${scope.permissions('i')}`;
  },
});

const parentPath = sql`regexp_replace(k.rel_path, '/?[^/]*$', '')`;
const foldersInFolders = (scope: ReportScope): RawBuilder<unknown> =>
  sql`folders k join folders f on f.library_id = k.library_id and f.rel_path = ${parentPath} where k.rel_path <> '' and k.acl_id is not null and f.acl_id is not null
    and ${scope.paths('k')} and ${scope.permissionsOfPaths('k')}`;

const mixedFolders: ReportDefinition = {
  id: 'permissions_mixed_folders',
  title: 'Folders whose content differs from them',
  description: 'Folders with files or folders directly in them whose permissions deviate from what the folder has or passes on.',
  group: 'access',
  rowLink: 'browse',
  library: true,
  folder: true,
  defaultLimit: 1000,
  columns: [
    column.libraryId,
    { key: 'folder_key', label: 'Folder key', type: 'text', hidden: true },
    { key: 'folder', label: 'Folder', type: 'text' },
    column.library,
    { key: 'files', label: 'Files that differ', type: 'integer', sum: true },
    { key: 'folders', label: 'Folders that differ', type: 'integer', sum: true },
    { key: 'example', label: 'For example', type: 'text' },
  ],
  order: [{ key: 'files', descending: true }],
  rowKey: { key: 'folder_key', type: 'text' },
  async rows(scope) {
    const files = await deviating(scope, await filePairs(scope), false);
    const folderPairs = await pairsOf(
      scope,
      sql<Pair>`select distinct k.acl_id as first, f.acl_id as second from ${foldersInFolders(scope)}`,
    );
    const folders = await deviating(scope, folderPairs, true);
    const pairs = (of: unknown) => sql`jsonb_to_recordset(${JSON.stringify(of)}::jsonb) as n (first int, second int, details text)`;
    return sql`select d.library_id, d.library_id || '/' || d.folder as folder_key, d.folder, l.name as library,
        sum(d.files)::bigint as files, sum(d.folders)::bigint as folders, min(d.example) as example
      from (
        select f.library_id, f.rel_path as folder, count(*) as files, 0 as folders, min(i.filename || ': ' || n.details) as example
        from items i join folders f on f.id = i.folder_id join access_classes c on c.id = i.access_class
          join ${pairs(files)} on n.first = c.acl_id and n.second = f.acl_id
        where ${scope.items('i')} and ${scope.permissions('i')} group by 1, 2
        union all
        select f.library_id, f.rel_path, 0, count(*), min(regexp_replace(k.rel_path, '^.*/', '') || ': ' || n.details)
        from folders k join folders f on f.library_id = k.library_id and f.rel_path = ${parentPath} join ${pairs(folders)} on n.first = k.acl_id and n.second = f.acl_id
        where k.rel_path <> '' and ${scope.paths('k')} and ${scope.permissionsOfPaths('k')} group by 1, 2
      ) d join libraries l on l.id = d.library_id group by 1, 2, 3, 4`;
  },
};

export const permissionChangeReports = [changes, outliers, mixedFolders];
