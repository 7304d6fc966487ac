import { type RawBuilder, sql } from 'kysely';
import { allowedAt, classesAllowing, existedAt, pastTables, readableAt } from '../../../catalog/permissions/index.ts';
import { fieldProblem } from '../../../platform/problem.ts';
import type { ReportDefinition } from '../contract.ts';
import { column, itemColumns, itemReport, itemTables } from './columns.ts';
import { chosenPrincipal } from './permissions.ts';

const byPath = [
  { key: 'library', descending: false },
  { key: 'rel_path', descending: false },
] as const;

const isOneOf = (name: string, ids: readonly number[]): RawBuilder<boolean> => sql<boolean>`${sql.ref(name)} = any(${[...ids]}::integer[])`;

const pastAccess: ReportDefinition = itemReport({
  id: 'permissions_past_access',
  title: 'What a person could read on a date',
  description:
    'Files that a person or group could read on a past date, and whether they still can. It uses the permissions and folders of that date, and the groups of today.',
  group: 'access',
  principal: { default: 'everyone' },
  on: { defaultDays: 30 },
  columns: [
    column.relPath,
    column.library,
    { key: 'still', label: 'Can still read', type: 'boolean' },
    { key: 'status', label: 'Status today', type: 'text' },
    { ...column.size, sum: false },
  ],
  order: byPath,
  async rows(scope) {
    const who = await chosenPrincipal(scope, 'principal');
    const at = scope.on ?? scope.now;
    if (at > scope.now) throw fieldProblem(['query', 'on'], 'Choose a date in the past.', 'range');
    const past = await readableAt(scope.db, who, at);
    const now = await classesAllowing(scope.db, who.identity, 'read');
    return sql`select ${itemColumns}, i.status = 'active' and ${isOneOf('i.access_class', now)} as still, i.status, i.size
      ${itemTables} ${pastTables(at)} where ${scope.anyItems('i')} and ${scope.permissions('i')} and ${existedAt(at)} and ${allowedAt(past)}`;
  },
});

const readableFolders: ReportDefinition = {
  id: 'permissions_readable_folders',
  title: 'Folders that a person can read',
  description:
    'Every folder with the number of its files that a person or group can read, today or on a past date. Folders inside it count apart.',
  group: 'access',
  rowLink: 'none',
  library: true,
  folder: true,
  principal: { default: 'everyone' },
  on: { defaultDays: 0 },
  defaultLimit: 1000,
  columns: [
    column.libraryId,
    { key: 'folder_id', label: 'Folder ID', type: 'text', hidden: true },
    column.library,
    { key: 'folder', label: 'Folder', type: 'text' },
    { key: 'readable', label: 'Can read', type: 'integer', sum: true },
    { ...column.fileCount, sum: true },
  ],
  order: [
    { key: 'library', descending: false },
    { key: 'folder', descending: false },
  ],
  rowKey: { key: 'folder_id', type: 'text' },
  async rows(scope) {
    const at = scope.on ?? scope.now;
    if (at > scope.now) throw fieldProblem(['query', 'on'], 'Choose a date in the past.', 'range');
    const past = await readableAt(scope.db, await chosenPrincipal(scope, 'principal'), at);
    return sql`select i.library_id, f.id::text as folder_id, l.name as library, f.rel_path as folder,
        count(*) filter (where ${allowedAt(past)})::bigint as readable, count(*)::bigint as file_count
      from items i join folders f on f.id = i.folder_id join libraries l on l.id = i.library_id ${pastTables(at)}
      where ${scope.anyItems('i')} and ${scope.permissions('i')} and ${existedAt(at)} group by i.library_id, f.id, l.name, f.rel_path`;
  },
};

const difference: ReportDefinition = itemReport({
  id: 'permissions_difference',
  title: 'Difference between two people',
  description: 'Files that exactly one of two people or groups can read.',
  group: 'access',
  principal: { default: 'everyone' },
  otherPrincipal: { default: 'uid:0' },
  columns: [
    column.relPath,
    column.library,
    { key: 'readable_by', label: 'Only readable by', type: 'text' },
    { ...column.size, sum: false },
  ],
  order: byPath,
  async rows(scope) {
    const [one, other] = [await chosenPrincipal(scope, 'principal'), await chosenPrincipal(scope, 'other_principal')];
    const [first, second] = [
      new Set(await classesAllowing(scope.db, one.identity, 'read')),
      new Set(await classesAllowing(scope.db, other.identity, 'read')),
    ];
    const [onlyFirst, onlySecond] = [[...first].filter((id) => !second.has(id)), [...second].filter((id) => !first.has(id))];
    return sql`select ${itemColumns}, case when ${isOneOf('i.access_class', onlyFirst)} then ${one.name ?? one.principal.id} else ${other.name ?? other.principal.id} end::text as readable_by, i.size
      ${itemTables} where ${scope.items('i')} and ${scope.permissions('i')} and ${isOneOf('i.access_class', [...onlyFirst, ...onlySecond])}`;
  },
});

const maxWords = 20;

const sensitive: ReportDefinition = itemReport({
  id: 'sensitive_world_readable',
  title: 'Sensitive words in files everyone can read',
  description: 'Files that everyone can read on disk and whose text contains one of these words.',
  group: 'access',
  words: { default: 'confidential, password, salary, secret' },
  columns: [
    column.relPath,
    column.library,
    { key: 'words', label: 'Words found', type: 'text' },
    { ...column.size, sum: false },
    column.mtime,
  ],
  order: byPath,
  async rows(scope) {
    const words = scope.words ?? [];
    if (words.length > maxWords) throw fieldProblem(['query', 'words'], `Choose at most ${maxWords} words.`, 'range');
    const open = await classesAllowing(
      scope.db,
      (await chosenPrincipal({ ...scope, principal: 'everyone' }, 'principal')).identity,
      'read',
    );
    const patterns = words.map((word) => `(^|[^[:alnum:]])${word.replace(/[^\p{L}\p{N}\s]/gu, '\\$&')}([^[:alnum:]]|$)`);
    // The words tell what is in the file, so the right to search content is needed too.
    return sql`select * from (select ${itemColumns}, (select string_agg(w.word, ', ' order by w.word) from unnest(${words}::text[], ${patterns}::text[]) as w (word, pattern) where i.body_text ~* w.pattern) as words,
        i.size, i.mtime_ns, i.mtime_ns / 1000000 as mtime
      ${itemTables} where ${scope.items('i')} and ${scope.permissions('i')} and ${scope.access.whereItem('i', 'search_content')}
        and ${isOneOf('i.access_class', open)} and i.body_text is not null) t where t.words is not null`;
  },
});

export const peopleReports = [sensitive, pastAccess, readableFolders, difference];
