import type { Table } from 'mdb-reader';
import { type BodyText, createBodyText } from '../../body-text.ts';
import { EncryptedError, type Extracted, type Source } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

/** The whole file is in memory while it is read. Larger databases give their version only. */
const maxBytes = 128 * 1024 * 1024;
const maxTables = 200;
const rowsAtOnce = 1000;

/** Tables, columns and values of an Access database. Null if it cannot be read. */
export async function readAccessTables(file: FileBytes, { limits }: Source): Promise<Extracted | null> {
  if (file.size > Math.min(maxBytes, limits.documentMaxBytes)) return null;
  const { default: MdbReader } = await import('mdb-reader');
  try {
    const database = new MdbReader(file.read(0, file.size));
    const names = database.getTableNames();
    const body = createBodyText(limits.bodyTextMaxChars);
    const tables: { name: string; columns: string[]; rows: number }[] = [];
    for (const name of names.slice(0, maxTables)) {
      const table = database.getTable(name);
      const columns = table.getColumnNames();
      tables.push({ name, columns, rows: table.rowCount });
      body.add([name, ...columns].join(' '));
      body.break();
      addRows(table, body);
    }
    if (body.full()) body.markTruncated();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { metadata: { tables, table_count: names.length, rows }, ...body.result() };
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
    if (/password|encrypt|not implemented/i.test(error instanceof Error ? error.message : '')) throw new EncryptedError();
    return null;
  }
}

/** Not the RangeError for a place outside of a damaged file, which also speaks of memory. */
const isOutOfMemory = (error: unknown): boolean => error instanceof RangeError && /allocation|out of memory/i.test(error.message);

/** A table with columns that the library does not know keeps its name and columns. */
function addRows(table: Table, body: BodyText): void {
  try {
    for (let at = 0; at < table.rowCount && !body.full(); at += rowsAtOnce)
      for (const row of table.getData({ rowOffset: at, rowLimit: rowsAtOnce })) {
        body.add(Object.values(row).map(valueText).filter(Boolean).join(' '));
        body.break();
      }
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
  }
}

function valueText(value: unknown): string {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
  return typeof value === 'string' ? value.trim() : typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}
