import { type RawBuilder, sql } from 'kysely';
import { isAtOrBelow } from '../../catalog/paths/index.ts';
import { maxFactValue, numericFacts } from '../documents/index.ts';
import type { Expression, FilterKey, FilterTerm, ParsedQuery, RangeBounds, ValueTest } from './ast.ts';

/** True for facts that the index stores as numbers. */
export function isIndexedNumber(key: FilterKey, name: string, test: ValueTest): boolean {
  return key === 'meta' && test.type === 'range' && (numericFacts as readonly string[]).includes(name);
}

/** A condition over extracted facts or custom fields. Text ignores case; a list matches when one of its values does. */
function factCondition(key: FilterKey, name: string, test: ValueTest, alias: string): RawBuilder<boolean> {
  const holder = sql.ref(`${alias}.${key === 'meta' ? 'metadata' : 'user_metadata'}`);
  if (isIndexedNumber(key, name, test) && test.type === 'range') {
    const fact = sql`${holder} -> ${sql.lit(name)}`;
    return between(
      sql`case when jsonb_typeof(${fact}) = 'number' and abs((${fact})::numeric) < ${sql.lit(maxFactValue)}::numeric then (${fact})::float8 end`,
      test.bounds,
    );
  }
  const path = `$${name
    .split('.')
    .map((part) => (part === '*' ? '.*' : `."${part}"`))
    .join('')}[*]`;
  const found = sql<boolean>`exists (select from jsonb_path_query(${holder}, ${path}::jsonpath) as fact where ${valueCondition(test)})`;
  const shown = isGpsFact(name)
    ? sql<boolean>`(${sql.ref(`${alias}.library_id`)} in (select l.id from libraries l where l.expose_gps) and ${found})`
    : found;
  // `meta.*` must not match recognised text, which needs the right to read content.
  return name === '*' ? sql<boolean>`${anyFactCondition(holder, path, test)}` : shown;
}

/** Coordinates can be filtered only in libraries that expose them. */
function isGpsFact(name: string): boolean {
  return name.split('.').some((part) => /(?:^|_)gps|^_geo$/i.test(part)) || /\.\*$/.test(name);
}

function anyFactCondition(holder: RawBuilder<unknown>, path: string, test: ValueTest): RawBuilder<boolean> {
  return sql<boolean>`exists (select from jsonb_path_query(${holder} - array(select k from jsonb_object_keys(${holder}) k where k ~* '^_|gps|^ocr_text$'), ${path}::jsonpath) as fact where ${valueCondition(test)})`;
}

function valueCondition(test: ValueTest): RawBuilder<boolean> {
  const text = sql`fact #>> '{}'`;
  const scalar = sql<boolean>`jsonb_typeof(fact) in ('string', 'number', 'boolean')`;
  if (test.type === 'present') return sql<boolean>`jsonb_typeof(fact) <> 'null'`;
  if (test.type === 'range')
    return between(
      sql`case when ${text} ~ '^-?\\d{1,18}(\\.\\d{1,18})?$' and jsonb_typeof(fact) in ('number', 'string') then (${text})::float8 end`,
      test.bounds,
    );
  if (test.type === 'dates') {
    const day = sql`substr(${text}, 1, 10) collate "C"`;
    const low = test.gte === undefined ? sql`true` : sql`${day} >= ${test.gte}`;
    const high = test.lt === undefined ? sql`true` : sql`${day} < ${test.lt}`;
    return sql<boolean>`(${scalar} and ${text} ~ '^\\d{4}-\\d{2}-\\d{2}' and ${low} and ${high})`;
  }
  const globs = test.globs.map((glob) => sql<boolean>`${text} ~* ${`^${globPattern(glob)}$`}`);
  const exact = sql<boolean>`lower(${text}) = any(select lower(v) from unnest(${test.exact}::text[]) v)`;
  return sql<boolean>`(${scalar} and (${sql.join([exact, ...globs], sql` or `)}))`;
}

type Condition = RawBuilder<boolean>;

/** Compares numbers as doubles, as the index does. */
function between(value: RawBuilder<unknown>, { gte, gt, lte, lt }: RangeBounds): Condition {
  const conditions: Condition[] = [];
  if (gte !== undefined) conditions.push(sql<boolean>`${value} >= ${gte}::float8`);
  if (gt !== undefined) conditions.push(sql<boolean>`${value} > ${gt}::float8`);
  if (lte !== undefined) conditions.push(sql<boolean>`${value} <= ${lte}::float8`);
  if (lt !== undefined) conditions.push(sql<boolean>`${value} < ${lt}::float8`);
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** A glob as a PostgreSQL regular expression in which only `*` is special, so that matching takes linear time. */
export function globPattern(glob: string, star = '.*'): string {
  return glob
    .split('*')
    .map((part) => part.replace(/[.^$|()[\]{}\\+?]/g, '\\$&'))
    .join(star);
}

/** A path glob matches an item or a folder above it; `*` stays inside one folder, `**` crosses folders. */
function pathPattern(glob: string): string {
  const pieces = glob.split('**').map((piece) => globPattern(piece, '[^/]*'));
  return `^${pieces.join('.*')}(/|$)`;
}

/**
 * Translates an expression into a condition over items. Every term is true or false, never null, so that NOT selects all other items, as in
 * the index.
 */
export function sqlCondition(node: Expression, alias = 'i'): Condition {
  if (node.kind === 'and' || node.kind === 'or') {
    const parts = node.parts.map((part) => sqlCondition(part, alias));
    return sql<boolean>`(${sql.join(parts, node.kind === 'and' ? sql` and ` : sql` or `)})`;
  }
  if (node.kind === 'not') return sql<boolean>`(not ${sqlCondition(node.part, alias)})`;
  if (node.kind === 'word') return wordCondition(node.text, alias);
  return sql<boolean>`coalesce(${termCondition(node, alias)}, false)`;
}

/** The condition for a whole query without the index; words are searched in name, title and path only. */
export function queryCondition({ filters, words }: Pick<ParsedQuery, 'filters' | 'words'>, alias = 'i'): Condition {
  const conditions = [
    ...filters.map((filter) => sqlCondition(filter, alias)),
    ...words.map(({ text, negated }) => {
      const found = wordCondition(text, alias);
      return negated ? sql<boolean>`(not ${found})` : found;
    }),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function wordCondition(word: string, alias: string): Condition {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`(${column('rel_path')} ilike ${pattern} or coalesce(${column('user_title')}, ${column('title')}, '') ilike ${pattern})`;
}

function termCondition({ key, name, test, access }: FilterTerm, alias: string): Condition {
  const column = (field: string) => sql.ref(`${alias}.${field}`);
  switch (key) {
    case 'kind':
      return valuesIn(column('file_category'), test);
    case 'group':
      return valuesIn(column('file_group'), test);
    case 'ext':
      return valuesIn(column('extension'), test);
    case 'path':
      return pathCondition(alias, test);
    case 'tag':
      return tagCondition(column('tags'), test);
    case 'hash':
      return hashCondition(test, alias);
    case 'size':
      return rangeCondition(column('size'), test);
    case 'modified':
      return rangeCondition(sql`(${column('mtime_ns')} / 1000000000)`, test);
    case 'created':
      return rangeCondition(sql`extract(epoch from ${column('first_seen')})::float8`, test);
    case 'taken':
      return rangeCondition(takenAt(sql`${column('metadata')} ->> 'taken_at'`), test);
    case 'camera':
      return valuesIn(sql`left(${column('metadata')} ->> 'camera', 500)`, test);
    case 'year':
      return rangeCondition(sql`coalesce(${column('user_year')}, ${column('year')})`, test);
    case 'is':
      return anyOf(exactOf(test), (value) =>
        value === 'sidecar' ? sql<boolean>`${column('sidecar_of')} is not null` : sql<boolean>`${column('status')} = ${value}`,
      );
    case 'has':
      return anyOf(exactOf(test), (mark) => hasCondition(mark, alias));
    case 'owner':
    case 'readable-by':
    case 'writable-by':
      if (!access) return sql<boolean>`false`;
      return sql<boolean>`(${column('access_class')} = any(${access.classes}::integer[]) and ${access.visibility.whereItem(alias, 'view_permissions')})`;
    case 'perm-changed':
      if (!access) return sql<boolean>`false`;
      return sql<boolean>`(${column('id')} in (select c.item_id from permission_changes c where ${rangeCondition(sql`extract(epoch from c.changed_at)::float8`, test)}
        and c.item_id is not null) and ${access.visibility.whereItem(alias, 'view_permissions')})`;
    case 'library':
      return libraryCondition(column('library_id'), test);
    default:
      return factCondition(key, name, test, alias);
  }
}

function exactOf(test: ValueTest): string[] {
  return test.type === 'values' ? test.exact : [];
}

export function anyOf<T>(list: readonly T[], condition: (each: T) => Condition): Condition {
  if (list.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(${sql.join(list.map(condition), sql` or `)})`;
}

function valuesIn(column: RawBuilder<unknown>, test: ValueTest): Condition {
  if (test.type !== 'values') return sql<boolean>`false`;
  return sql<boolean>`(${column} = any(${test.exact}::text[]) or ${anyOf(test.globs, (glob) => sql<boolean>`${column} ~ ${`^${globPattern(glob)}$`}`)})`;
}

function pathCondition(alias: string, test: ValueTest): Condition {
  if (test.type !== 'values') return sql<boolean>`false`;
  const below = anyOf(test.exact, (path) => (path === '' ? sql<boolean>`true` : isAtOrBelow(alias, path, null)));
  return sql<boolean>`(${below} or ${anyOf(test.globs, (glob) => sql<boolean>`${sql.ref(`${alias}.rel_path`)} ~ ${pathPattern(glob)}`)})`;
}

function tagCondition(column: RawBuilder<unknown>, test: ValueTest): Condition {
  if (test.type !== 'values') return sql<boolean>`false`;
  const like = anyOf(
    test.globs,
    (glob) => sql<boolean>`exists (select from unnest(${column}) as tag where tag ~ ${`^${globPattern(glob)}$`})`,
  );
  return sql<boolean>`(${column} && ${test.exact}::text[] or ${like})`;
}

/** Written to use both hash indexes; that of content hashes covers the first eight digits. */
function hashCondition(test: ValueTest, alias: string): Condition {
  return anyOf(
    exactOf(test),
    (prefix) => sql<boolean>`${sql.ref(`${alias}.id`)} in (
      select h.id from items h where left(h.content_hash, 8) >= ${prefix.slice(0, 8)} and left(h.content_hash, 8) < ${`${prefix.slice(0, 8)}g`}
        and h.content_hash >= ${prefix} and h.content_hash < ${`${prefix}g`}
      union all select h.id from items h where h.quick_hash >= ${prefix} and h.quick_hash < ${`${prefix}g`})`,
  );
}

/** Matches a library by name, ignoring case, or by id. */
function libraryCondition(column: RawBuilder<unknown>, test: ValueTest): Condition {
  if (test.type !== 'values') return sql<boolean>`false`;
  return sql<boolean>`${column} in (select l.id from libraries l where ${libraryNamed(test)})`;
}

export function libraryNamed(test: ValueTest): Condition {
  if (test.type !== 'values') return sql<boolean>`false`;
  const exact = test.exact.map((value) => value.toLowerCase());
  return sql<boolean>`(lower(l.name) = any(${exact}::text[]) or l.id::text = any(${exact}::text[])
    or ${anyOf(test.globs, (glob) => sql<boolean>`l.name ~* ${`^${globPattern(glob)}$`}`)})`;
}

/** Must agree with the values that documents have in `has`. */
function hasCondition(mark: string, alias: string): Condition {
  const column = (field: string) => sql.ref(`${alias}.${field}`);
  const text = (name: string) => sql<boolean>`jsonb_typeof(${column('metadata')} -> ${sql.lit(name)}) = 'string'`;
  switch (mark) {
    case 'error':
      return sql<boolean>`${column('metadata')} ? '_extract_error'`;
    case 'encrypted':
      return sql<boolean>`coalesce(${column('metadata')} -> 'encrypted' = 'true'::jsonb, false)`;
    case 'text':
      return sql<boolean>`(${column('body_text')} <> '' or ${text('ocr_text')})`;
    case 'members':
      return sql<boolean>`${column('archive_members')} <> ''`;
    case 'tags':
      return sql<boolean>`cardinality(${column('tags')}) > 0`;
    case 'notes':
      return sql<boolean>`${column('user_metadata')} <> '{}'::jsonb`;
    case 'origin':
      return text('origin_url');
    default:
      return sql<boolean>`${column('sidecar_of')} is not null`;
  }
}

/** Must agree with `taken` in documents: the local time of the camera, without dates in the future. */
function takenAt(value: RawBuilder<unknown>): RawBuilder<unknown> {
  const local = sql`substr(${value}, 1, 19)`;
  return sql`case when ${value} ~ '^[1-9]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' and pg_input_is_valid(${local}, 'timestamp')
    and extract(epoch from ${local}::timestamp) <= extract(epoch from now()) + 172800 then extract(epoch from ${local}::timestamp)::float8 end`;
}

function rangeCondition(value: RawBuilder<unknown>, test: ValueTest): Condition {
  return test.type === 'range' ? between(value, test.bounds) : sql<boolean>`false`;
}
