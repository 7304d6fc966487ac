import { type RawBuilder, sql } from 'kysely';
import { largestFact, numericFacts } from '../documents/index.ts';
import type { FilterKey, ValueTest } from './ast.ts';
import { between } from './between.ts';
import { globPattern } from './glob.ts';

/** Facts that the index compares by number itself. */
export function isIndexedNumber(key: FilterKey, name: string, test: ValueTest): boolean {
  return key === 'meta' && test.type === 'range' && (numericFacts as readonly string[]).includes(name);
}

/** Extracted facts and custom fields: text is compared without case, lists match when one of their values does. */
export function factCondition(key: FilterKey, name: string, test: ValueTest, alias: string): RawBuilder<boolean> {
  const holder = sql.ref(`${alias}.${key === 'meta' ? 'metadata' : 'user_metadata'}`);
  if (isIndexedNumber(key, name, test) && test.type === 'range') {
    const fact = sql`${holder} -> ${sql.lit(name)}`;
    return between(
      sql`case when jsonb_typeof(${fact}) = 'number' and abs((${fact})::numeric) < ${sql.lit(largestFact)}::numeric then (${fact})::float8 end`,
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
  // Recognised text is found by its words, and only by those who may read content.
  return name === '*' ? sql<boolean>`${anyFactCondition(holder, path, test)}` : shown;
}

/** Places are facts only where the library shows them. */
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
