import { type Filter, tokenize } from '@catalog/engine';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Expression, FilterTerm, ParsedQuery } from './ast.ts';
import { queryError } from './query-error.ts';
import { anyOf, globPattern, isIndexedNumber, libraryNamed, sqlCondition } from './to-sql.ts';

type ListedField = 'tag' | 'extension' | 'camera';

export interface IndexContext {
  db: Db;
  /** A condition that all hits satisfy anyway (rights, status, other filters); it keeps the id lists of filters the index lacks short. */
  within: RawBuilder<boolean>;
  /** Where the caller may see permissions: a filter, or null for everywhere. Without it filters by permissions match nothing. */
  permissionScope?: Filter | null;
  /** Every value of this field in the index, or null when there are too many. Without it the database is queried. */
  values?: (field: ListedField) => Promise<string[] | null>;
}

export const maxIds = 20_000;

/**
 * Translates an expression into an index filter. Filters on data that the index lacks are evaluated by the same SQL condition that
 * `sqlCondition` returns, and passed as a list of ids, so SQL and index always agree.
 */
export async function indexFilter(node: Expression, context: IndexContext): Promise<Filter> {
  if (node.kind === 'and' || node.kind === 'or') {
    const parts: Filter[] = [];
    for (const part of node.parts) parts.push(await indexFilter(part, context));
    return node.kind === 'and' ? { and: parts } : { or: parts };
  }
  if (node.kind === 'not') return { not: await indexFilter(node.part, context) };
  if (node.kind === 'word') return { and: [] };
  return (await nativeFilter(node, context)) ?? { in: ['id', await idsOf(node, context)] };
}

/** True when the index can evaluate the expression without a database query. */
export function isNative(node: Expression): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.parts.every(isNative);
  if (node.kind === 'not') return isNative(node.part);
  if (node.kind === 'word' || node.key === 'hash' || node.key === 'cf' || node.key === 'perm-changed') return false;
  if (node.key === 'meta') return isIndexedNumber(node.key, node.name, node.test);
  return node.key !== 'path' || (node.test.type === 'values' && node.test.globs.length === 0);
}

async function nativeFilter(term: FilterTerm, context: IndexContext): Promise<Filter | null> {
  const { db } = context;
  const { key, name, test } = term;
  if (test.type === 'range') {
    if (key === 'perm-changed') return null;
    if (key === 'size' || key === 'year') return { range: [key, test.bounds] };
    if (key === 'modified') return { range: ['mtime', test.bounds] };
    if (key === 'created') return { range: ['first_seen', test.bounds] };
    if (key === 'taken') return { range: ['taken', test.bounds] };
    return isIndexedNumber(key, name, test) ? { range: [name, test.bounds] } : null;
  }
  if (test.type !== 'values') return null;
  switch (key) {
    case 'kind':
      return { in: ['file_category', test.exact] };
    case 'group':
      return { in: ['file_group', test.exact] };
    case 'ext':
      return { in: ['extension', [...test.exact, ...(await valuesLike(context, 'extension', test.globs, term.start))]] };
    case 'tag':
      return { in: ['tag', [...test.exact, ...(await valuesLike(context, 'tag', test.globs, term.start))]] };
    case 'camera':
      return { in: ['camera', [...test.exact, ...(await valuesLike(context, 'camera', test.globs, term.start))]] };
    case 'library':
      return {
        in: [
          'library_id',
          (await sql<{ id: string }>`select l.id from libraries l where ${libraryNamed(test)}`.execute(db)).rows.map(({ id }) => id),
        ],
      };
    case 'is':
      return {
        or: test.exact.map((value): Filter => (value === 'sidecar' ? { eq: ['is_sidecar', 'true'] } : { eq: ['status', value] })),
      };
    case 'has':
      return { in: ['has', test.exact] };
    case 'owner':
    case 'readable-by':
    case 'writable-by':
      return inClasses(term.access?.classes ?? [], context.permissionScope);
    case 'path':
      return test.globs.length > 0 ? null : { scope: await folderScopes(db, test.exact) };
    default:
      return null;
  }
}

/** Files of these access classes, where the caller may see permissions. */
export function inClasses(classes: readonly number[], scope: Filter | null | undefined): Filter {
  if (scope === undefined) return { in: ['id', []] };
  const found: Filter = { in: ['perm_class', classes.map(String)] };
  return scope === null ? found : { and: [found, scope] };
}

/** A folder without a library is searched in every library. */
async function folderScopes(db: Db, folders: readonly string[]): Promise<string[]> {
  if (folders.includes('')) return [''];
  const { rows } = await sql<{ id: string }>`select id from libraries`.execute(db);
  return rows.flatMap(({ id }) => folders.map((folder) => `${id}/${folder}`));
}

/**
 * The values that match one of the patterns. Values that are not in the index cannot match there, so its own list is enough; the database
 * is queried only when the index has too many values to list.
 */
async function valuesLike({ db, values }: IndexContext, field: ListedField, globs: readonly string[], at: number): Promise<string[]> {
  if (globs.length === 0) return [];
  const known = await values?.(field);
  if (known) {
    const patterns = globs.map((glob) => new RegExp(`^${globPattern(glob)}$`, 's'));
    return known.filter((value) => patterns.some((pattern) => pattern.test(value)));
  }
  const like = anyOf(globs, (glob) => sql<boolean>`value ~ ${`^${globPattern(glob)}$`}`);
  const all = {
    tag: sql`items, unnest(tags) as value`,
    extension: sql`(select extension as value from items) e`,
    camera: sql`(select left(metadata ->> 'camera', 500) as value from items) c`,
  }[field];
  const { rows } = await sql<{ value: string }>`select distinct value from ${all} where ${like} limit ${maxIds + 1}`.execute(db);
  if (rows.length > maxIds) throw tooMany(at);
  return rows.map(({ value }) => value);
}

async function idsOf(term: FilterTerm, { db, within }: IndexContext): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select i.id from items i where ${within} and ${sqlCondition(term, 'i')} limit ${maxIds + 1}`.execute(db);
  if (rows.length > maxIds) throw tooMany(term.start);
  return rows.map(({ id }) => id);
}

function tooMany(position: number) {
  return queryError(
    'too_many_matches',
    position,
    `This filter alone matches more than ${maxIds.toLocaleString('en')} items. Add another filter, such as kind:, path: or modified:.`,
  );
}

/** The words in the index's syntax. Exclusions come first, so that the last word stays last and can match as a prefix. */
export function indexText({ words, text }: Pick<ParsedQuery, 'words' | 'text'>): string {
  const piece = ({ text: word, quoted }: { text: string; quoted: boolean }): string => {
    const clean = word.replaceAll('"', ' ').trim();
    return quoted ? `"${clean}"` : clean.replace(/^[-!]+/, '');
  };
  const pieces = [
    ...words
      .filter(({ negated }) => negated)
      .map((word) => (/\s/.test(piece(word)) ? `-"${piece(word).replaceAll('"', '')}"` : `-${piece(word)}`)),
    ...words.filter(({ negated }) => !negated).map(piece),
  ].filter((each) => each !== '' && each !== '-' && each !== '""');
  return pieces.length === 0 ? '' : pieces.join(' ') + (/\s$/u.test(text) ? ' ' : '');
}

/**
 * The words of a query when none of them has a letter or digit; null otherwise. The index knows no other characters and would leave such
 * words out, so that the query found everything. A sign without a word after it is being typed and does not count.
 */
export function unsearchableWords({ words }: Pick<ParsedQuery, 'words'>): string | null {
  const wanted = words.filter(({ text, negated }) => !negated && !/^[-!\s]*$/u.test(text)).map(({ text }) => text);
  return wanted.length > 0 && wanted.every((text) => tokenize(text).length === 0) ? wanted.join(' ') : null;
}
