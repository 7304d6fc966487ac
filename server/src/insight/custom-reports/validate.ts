import { customFields } from '../../catalog/custom-fields/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem.ts';
import { checkKinds, type ParsedQuery, parseQuery } from '../../search/language/index.ts';
import { aggregateFunctions, parseAggregate, type ReportShape, resultColumns } from './build.ts';
import { columnError, formedColumn, itemColumn } from './columns.ts';

export interface ReportInput extends ReportShape {
  query: string;
}

export type DefinitionError =
  | { error: 'parse_error'; code: string; position: number; reason: string }
  | { error: 'column_error'; message: string; column: string };

interface Validated {
  errors: DefinitionError[];
  parsed: ParsedQuery | null;
}

/** Everything that is wrong with a definition: the query with the position of the error, and unknown or unfitting columns. */
export async function validateDefinition(db: Db, input: ReportInput, now: Date): Promise<Validated> {
  const errors: DefinitionError[] = [];
  let parsed: ParsedQuery | null = null;
  try {
    parsed = parseQuery(input.query, { now });
    await checkKinds(db, parsed);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    parsed = null;
    errors.push({
      error: 'parse_error',
      code: String(error.extras['reason'] ?? error.code),
      position: Number(error.extras['position'] ?? 0),
      reason: error.message,
    });
  }
  const fields = new Set((await customFields(db)).map(({ name }) => name));
  const refuse = (column: string, message: string): void => void errors.push({ error: 'column_error', column, message });
  const known = (name: string): boolean => {
    const why = columnError(name, fields);
    if (why) refuse(name, why);
    return why === null;
  };
  const columnsKnown = input.columns.map(known).every(Boolean);
  if (input.groupBy.length === 0 && input.columns.length === 0) refuse('', 'Choose at least one column.');
  if (input.groupBy.length === 0 && input.aggregates.length > 0)
    refuse(input.aggregates[0] ?? '', 'Counts and sums need a column to group by.');
  if (input.groupBy.length > 0 && input.aggregates.length === 0) refuse('', 'Choose what to count or sum for each group.');
  const groupsKnown = input.groupBy.map((name) => known(name) && canGroup(name, refuse)).every(Boolean);
  const sumsKnown = input.aggregates.map((text) => canAggregate(text, known, refuse)).every(Boolean);
  if (columnsKnown && groupsKnown && sumsKnown) {
    const sortable = resultColumns(input)
      .filter(({ type }) => type !== 'list')
      .map(({ key }) => key);
    for (const text of input.sort) {
      const key = text.replace(/^-/, '');
      if (!sortable.includes(key)) refuse(key, `Rows cannot be sorted by "${key}". Use a column of the report: ${sortable.join(', ')}.`);
    }
  }
  return { errors, parsed: errors.length === 0 ? parsed : null };
}

type Refuse = (column: string, message: string) => void;

function canGroup(name: string, refuse: Refuse): boolean {
  if (formedColumn(name) === null && name !== 'tags') return true;
  refuse(name, `Rows cannot be grouped by "${name}".`);
  return false;
}

function canAggregate(text: string, known: (name: string) => boolean, refuse: Refuse): boolean {
  const { fn, column } = parseAggregate(text);
  if (fn === 'count' && column === null) return true;
  if (!(aggregateFunctions as readonly string[]).includes(fn) || fn === 'count' || column === null) {
    refuse(text, `"${text}" is not understood. Write count, or sum:, min: or max: and a column, such as sum:size.`);
    return false;
  }
  if (!known(column)) return false;
  const source = itemColumn(column);
  if (source === null || source.column.type === 'list' || (fn === 'sum' && source.number === null)) {
    refuse(text, fn === 'sum' ? `"${column}" is not a number, so it cannot be summed.` : `"${column}" has no least or greatest value.`);
    return false;
  }
  return true;
}
