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
import type { NamedFilter } from './filters.ts';

/** The box's line as the index is asked: its words, and its filters with the text they were typed as. */
export interface Understood {
  parsed: ParsedQuery;
  words: string;
  filters: NamedFilter[];
}

export async function understand(
  { db, visibility, now }: { db: Db; visibility: Visibility; now: Date },
  line: string,
  { typing = true }: { typing?: boolean } = {},
): Promise<Understood> {
  const parsed = parseQuery(line, { now, typing });
  await checkKinds(db, parsed);
  return { parsed, words: indexText(parsed), filters: await namedFilters(db, visibility, parsed) };
}

/** Filters the index answers itself narrow those that have to be looked up in the database. */
async function namedFilters(db: Db, visibility: Visibility, { filters, text }: ParsedQuery): Promise<NamedFilter[]> {
  const native = filters.filter(isNative).map((filter) => sqlCondition(filter, 'i'));
  const within = sql<boolean>`(${sql.join([visibility.where('i'), ...native] as RawBuilder<boolean>[], sql` and `)})`;
  const named: NamedFilter[] = [];
  for (const expression of filters) {
    const filter: Filter = await indexFilter(expression, { db, within });
    named.push({ ...labelOf(expression, text), filter });
  }
  return named;
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
