/**
 * CSV and similar tables: delimiter, columns, rows and text. Rows are counted to the end of the file, but only the first part is kept as
 * text.
 */

import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { readTextFile } from './text-file.ts';

const MAX_COLUMNS = 500;
const MAX_NAME = 200;
const ROWS_MAX_BYTES = 64 * 1024 * 1024;

export const table: Extractor = {
  name: 'csv',
  version: 3,
  text: true,
  extensions: ['csv', 'tsv', 'tab', 'psv', 'ssv'],
  tools: [],
  keys: ['columns', 'column_count', 'rows', 'rows_estimated', 'delimiter', 'encoding'],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const file = readTextFile(source, ROWS_MAX_BYTES);
  if (file === null) throw new ExtractError('corrupt', 'The file is not text.');
  // Excel writes the delimiter into a line before the table.
  const stated = /^sep=([^\r\n])\r?\n/i.exec(file.text);
  const text = stated === null ? file.text : file.text.slice(stated[0].length);
  const delimiter = stated?.[1] ?? guessDelimiter(text.slice(0, 65_536), source.extension);
  const { header, columns, rows } = countRows(text, delimiter);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  body.add(text);
  if (!file.complete) body.markTruncated();
  return {
    metadata: {
      columns: header,
      column_count: columns,
      // If the file was not read completely, the line count approximates the number of rows.
      rows: file.complete
        ? Math.max(0, rows - 1)
        : Math.max(0, (file.lines === undefined ? rows : file.lines - (stated === null ? 0 : 1)) - 1),
      rows_estimated: file.complete ? undefined : true,
      delimiter: delimiter === '\t' ? 'tab' : delimiter,
      encoding: file.encoding,
    },
    ...body.result(),
  };
}

/** Picks the delimiter that yields the same number of columns, more than one, in most of the first lines. */
function guessDelimiter(sample: string, extension: string): string {
  if (extension === 'tsv' || extension === 'tab') return '\t';
  if (extension === 'psv') return '|';
  const lines = sample
    .split('\n', 21)
    .slice(0, 20)
    .filter((line) => line.trim() !== '');
  let best = ',';
  let bestScore = 0;
  for (const candidate of [',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.split(candidate).length);
    const first = counts[0] ?? 1;
    const score = first > 1 ? counts.filter((count) => count === first).length * Math.min(first, 50) : 0;
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Counts rows in one pass, respecting quotes. Only the first cells of the first row are kept. */
function countRows(text: string, delimiter: string): { header: string[]; columns: number; rows: number } {
  const header: string[] = [];
  let columns = 0;
  let cell = '';
  const addCell = (): void => {
    columns += 1;
    if (header.length < MAX_COLUMNS) header.push(cell.trim().slice(0, MAX_NAME));
    cell = '';
  };
  const addToCell = (character: string): void => {
    if (cell.length < 1000) cell += character;
  };
  let rows = 0;
  let quoted = false;
  let blank = true;
  const delimiterCode = delimiter.charCodeAt(0);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code !== 34) {
        if (rows === 0) addToCell(text[at] as string);
      } else if (text.charCodeAt(at + 1) === 34) {
        if (rows === 0) addToCell('"');
        at += 1;
      } else quoted = false;
    } else if (code === 34) {
      quoted = true;
      blank = false;
    } else if (code === 10) {
      if (!blank) {
        if (rows === 0) addCell();
        rows += 1;
      }
      blank = true;
    } else if (code === delimiterCode) {
      blank = false;
      if (rows === 0) addCell();
    } else if (code !== 13) {
      blank = blank && code === 32;
      if (rows === 0) addToCell(text[at] as string);
    }
  }
  if (!blank) {
    if (rows === 0) addCell();
    rows += 1;
  }
  return { header, columns, rows };
}
