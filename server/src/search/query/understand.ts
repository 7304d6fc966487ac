import type { Filter } from '@catalog/engine';
import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import {
  checkKinds,
  type Expression,
  fieldName,
  indexFilter,
  indexText,
  isNative,
  type ParsedQuery,
  parseQuery,
  sqlCondition,
} from '../language/index.ts';
import type { SearchReader } from '../engines/index.ts';
import type { NamedFilter } from './filters.ts';
import { searchIndex } from './shares.ts';

/** The box's line as the index is asked: its words, and its filters with the text they were typed as. */
export interface InterpretedQuery {
  parsed: ParsedQuery;
  words: string;
  filters: NamedFilter[];
}

export async function interpretQuery(
  { db, visibility, now, reader }: { db: Db; visibility: Visibility; now: Date; reader: SearchReader },
  line: string,
  { typing = true }: { typing?: boolean } = {},
): Promise<InterpretedQuery> {
  const parsed = parseQuery(line, { now, typing });
  await checkKinds(db, parsed);
  return { parsed, words: indexText(parsed), filters: await namedFilters({ db, visibility, reader }, parsed) };
}

/** Filters the index answers itself narrow those that have to be looked up in the database. */
async function namedFilters(
  { db, visibility, reader }: { db: Db; visibility: Visibility; reader: SearchReader },
  { filters, text }: ParsedQuery,
): Promise<NamedFilter[]> {
  const native = filters.filter(isNative).map((filter) => sqlCondition(filter, 'i'));
  const within = sql<boolean>`(${sql.join([visibility.where('i'), ...native] as RawBuilder<boolean>[], sql` and `)})`;
  const named: NamedFilter[] = [];
  for (const expression of filters) {
    const filter: Filter = await indexFilter(expression, { db, within, values: (field) => indexedValues(reader, field) });
    named.push({ ...labelOf(expression, text), filter });
  }
  return named;
}

/** Every engine counts at least so many values of a field; a list that is shorter is whole. */
const maxListedValues = 1000;

/** The values narrow a filter and are shown to nobody, so rights do not matter here. */
async function indexedValues(reader: SearchReader, field: string): Promise<string[] | null> {
  const { facets } = await searchIndex(reader, { limit: 0, facets: [{ field, limit: maxListedValues }] });
  const values = (facets[field] ?? []).map(({ value }) => value);
  return values.length < maxListedValues ? values : null;
}

function labelOf(node: Expression, text: string): { name: string; value: string } {
  if (node.kind === 'filter') return { name: fieldName(node), value: node.value };
  if (node.kind === 'not' && node.part.kind === 'filter') return { name: `-${fieldName(node.part)}`, value: node.part.value };
  const [start, end] = spanOf(node);
  return { name: 'query', value: text.slice(start, end) };
}

function spanOf(node: Expression): [number, number] {
  if (node.kind === 'not') return spanOf(node.part);
  if (node.kind === 'filter' || node.kind === 'word') return [node.start, node.end];
  const spans = node.parts.map(spanOf);
  return [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))];
}
