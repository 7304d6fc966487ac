import { pathToFileURL } from 'node:url';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { boundedText } from '../result.ts';

/** Rows are counted up to this limit per table; larger counts are marked as a lower bound. */
const maxRowsCounted = 1_000_000;
const maxTables = 200;
/** Rows of larger files are not counted, because counting reads the whole file. */
const maxCountBytes = 1024 * 1024 * 1024;

/**
 * SQLite databases: tables, columns and row counts. The file is opened read-only and immutable, so SQLite looks for no journal and creates
 * no lock or other file beside it.
 */
export const sqlite: Extractor = {
  name: 'sqlite',
  version: 2,
  text: true,
  extensions: ['sqlite', 'sqlite3', 'sqlitedb', 'db', 'db3', 's3db', 'sl3', 'aup3'],
  tools: [],
  keys: [
    'database',
    ...[
      'format',
      'tables',
      'table_count',
      'view_count',
      'index_count',
      'trigger_count',
      'rows',
      'page_size',
      'user_version',
      'application_id',
      'encoding',
      'truncated',
    ].map((key) => `database.${key}`),
  ],
  read: async (source) => {
    const head = await withFileBytes(source, (file) => ({ bytes: file.read(0, 100), size: file.size }));
    if (head.bytes.length < 100 || head.bytes.toString('latin1', 0, 15) !== 'SQLite format 3') {
      // Many programs use these extensions, so a file that is not SQLite is reported as unknown instead of corrupt.
      if (['db', 'db3', 'sl3'].includes(source.extension)) return { metadata: { database: { format: 'unknown' } } };
      throw new ExtractError('corrupt', 'The database has no valid header.');
    }
    return describe(source, head.bytes, head.size);
  },
};

interface SchemaRow {
  type: string;
  name: string;
}

async function describe(source: Source, head: Buffer, size: number): Promise<Extracted> {
  const { DatabaseSync } = await import('node:sqlite');
  const address = pathToFileURL(source.path);
  address.searchParams.set('mode', 'ro');
  address.searchParams.set('immutable', '1');
  const db = openOrRefuse(() => new DatabaseSync(address, { readOnly: true, allowExtension: false }));
  try {
    // A schema can refer to functions and virtual tables of other programs, so it must not be trusted.
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON');
    const schema = db
      .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT 5000")
      .all() as unknown as SchemaRow[];
    const count = (type: string): number => schema.filter((row) => row.type === type).length;
    const tables = schema.filter((row) => row.type === 'table').slice(0, maxTables);
    const described = tables.map((row) => describeTable(db, String(row.name), size <= maxCountBytes));
    const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    return {
      metadata: {
        database: {
          format: 'sqlite',
          tables: described,
          table_count: count('table'),
          view_count: count('view'),
          index_count: count('index'),
          trigger_count: count('trigger'),
          ...(size <= maxCountBytes && { rows: described.reduce((sum, table) => sum + (table.rows ?? 0), 0) }),
          page_size: pageSize,
          user_version: head.readInt32BE(60),
          application_id: head.readUInt32BE(68),
          encoding: { 1: 'utf-8', 2: 'utf-16le', 3: 'utf-16be' }[head.readUInt32BE(56)] ?? 'unknown',
          truncated: count('table') > maxTables,
        },
      },
      ...boundedText(described.map((table) => [table.name, ...table.columns].join(' ')).join('\n'), source.limits.bodyTextMaxChars),
    };
  } catch (error) {
    throw error instanceof ExtractError ? error : new ExtractError('corrupt', 'The database is damaged.');
  } finally {
    db.close();
  }
}

function openOrRefuse<T>(open: () => T): T {
  try {
    return open();
  } catch {
    throw new ExtractError('corrupt', 'The database cannot be opened.');
  }
}

interface Table {
  name: string;
  columns: string[];
  rows?: number;
  rows_at_least?: boolean;
}

function describeTable(db: import('node:sqlite').DatabaseSync, name: string, countRows: boolean): Table {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const columns = (db.prepare('SELECT name FROM pragma_table_info(?) LIMIT 500').all(name) as { name: unknown }[]).map((row) =>
    String(row.name).slice(0, 200),
  );
  const table: Table = { name: name.slice(0, 200), columns };
  if (!countRows) return table;
  try {
    const { n } = db.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM ${quoted} LIMIT ${maxRowsCounted})`).get() as { n: number };
    table.rows = n;
    if (n === maxRowsCounted) table.rows_at_least = true;
  } catch (error) {
    // Virtual tables of a missing module cannot be counted. A malformed page means the file is damaged.
    if (/malformed|corrupt|not a database/.test((error as Error).message)) throw error;
  }
  return table;
}
