import { type RawBuilder, sql } from 'kysely';
import type { Expression, FilterTerm, ParsedQuery, ValueTest } from './ast.ts';
import { between } from './between.ts';
import { factCondition } from './fact-condition.ts';
import { globPattern, pathPattern } from './glob.ts';

type Condition = RawBuilder<boolean>;

/**
 * An expression as a condition over items. Every leaf is true or false, never null, so that NOT means the rest, as it does in the index.
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

/** Filters and words of a query: words are looked for in name, title and path. Where the index answers, words mean what it says instead. */
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

function termCondition({ key, name, test }: FilterTerm, alias: string): Condition {
  const column = (field: string) => sql.ref(`${alias}.${field}`);
  switch (key) {
    case 'kind':
      return valuesIn(column('file_category'), test);
    case 'group':
      return valuesIn(column('file_group'), test);
    case 'ext':
      return valuesIn(column('extension'), test);
    case 'path':
      return pathCondition(column('rel_path'), test);
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
    case 'year':
      return rangeCondition(sql`coalesce(${column('user_year')}, ${column('year')})`, test);
    case 'is':
      return anyOf(exactOf(test), (value) =>
        value === 'sidecar' ? sql<boolean>`${column('sidecar_of')} is not null` : sql<boolean>`${column('status')} = ${value}`,
      );
    case 'has':
      return anyOf(exactOf(test), (mark) => hasCondition(mark, alias));
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

function pathCondition(column: RawBuilder<unknown>, test: ValueTest): Condition {
  if (test.type !== 'values') return sql<boolean>`false`;
  const below = anyOf(test.exact, (folder) =>
    folder === '' ? sql<boolean>`true` : sql<boolean>`(${column} = ${folder} or starts_with(${column}, ${`${folder}/`}))`,
  );
  return sql<boolean>`(${below} or ${anyOf(test.globs, (glob) => sql<boolean>`${column} ~ ${pathPattern(glob)}`)})`;
}

function tagCondition(column: RawBuilder<unknown>, test: ValueTest): Condition {
  if (test.type !== 'values') return sql<boolean>`false`;
  const like = anyOf(
    test.globs,
    (glob) => sql<boolean>`exists (select from unnest(${column}) as tag where tag ~ ${`^${globPattern(glob)}$`})`,
  );
  return sql<boolean>`(${column} && ${test.exact}::text[] or ${like})`;
}

/** Both hashes have an index of their own; content hashes are found there by their first eight digits. */
function hashCondition(test: ValueTest, alias: string): Condition {
  return anyOf(
    exactOf(test),
    (prefix) => sql<boolean>`${sql.ref(`${alias}.id`)} in (
      select h.id from items h where left(h.content_hash, 8) >= ${prefix.slice(0, 8)} and left(h.content_hash, 8) < ${`${prefix.slice(0, 8)}g`}
        and h.content_hash >= ${prefix} and h.content_hash < ${`${prefix}g`}
      union all select h.id from items h where h.quick_hash >= ${prefix} and h.quick_hash < ${`${prefix}g`})`,
  );
}

/** A library by its name, whatever its case, or by its id. */
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

/** What the projection writes into `has`. */
function hasCondition(mark: string, alias: string): Condition {
  const column = (field: string) => sql.ref(`${alias}.${field}`);
  const text = (name: string) => sql<boolean>`jsonb_typeof(${column('metadata')} -> ${sql.lit(name)}) = 'string'`;
  switch (mark) {
    case 'error':
      return sql<boolean>`${column('metadata')} ? '_extract_error'`;
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

export function rangeCondition(value: RawBuilder<unknown>, test: ValueTest): Condition {
  return test.type === 'range' ? between(value, test.bounds) : sql<boolean>`false`;
}
