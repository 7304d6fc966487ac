import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database, Db } from '../../platform/database/index.ts';
import { one } from '../../platform/database/index.ts';

/** A file that is sent to a slow reader may take long; after an hour it belongs in the background. */
const maxSeconds = 3600;
/** Small batches become garbage before a collection has to copy them, which makes an export up to twice as fast. */
const batchRows = 128;
/** So many rows may have been read when a change of rights is noticed; one that concerns the last rows is noticed at the end. */
const rowsBetweenChecks = 2000;

interface StreamOptions {
  signal?: AbortSignal | undefined;
  /** Called when any right in the catalog has changed; throws when the reader's own rights have. */
  check: (() => Promise<void>) | null;
}

type ParseValue = (text: string) => unknown;

/**
 * All rows of a query as arrays, from one snapshot. They are read with COPY, which takes a third of the time of a cursor: the database may
 * use several processes for it, and the values of many rows arrive as one text. The database waits when the consumer is slower.
 */
export async function* streamRows(
  { pool, db }: Database,
  query: RawBuilder<unknown>,
  { signal, check }: StreamOptions,
): AsyncGenerator<unknown[][]> {
  const { sql: text } = query.compile(withoutParameters);
  const client = await pool.connect();
  let complete = false;
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    await client.query(`set local statement_timeout = '${maxSeconds}s'; set local work_mem = '32MB'`);
    const parsers = await describeColumns(client, text);
    let generation = check ? await readGeneration(db) : null;
    const checkRights = async (): Promise<void> => {
      if (!check) return;
      const current = await readGeneration(db);
      if (current !== generation) await check();
      generation = current;
    };
    // Rights may have changed since the query was built.
    await check?.();
    const source = client.query(copyTo(`copy (${text}) to stdout`));
    // An error after the consumer has stopped reading is nobody's concern.
    source.on('error', () => {});
    let unchecked = 0;
    for await (const lines of batchesOf(source)) {
      signal?.throwIfAborted();
      unchecked += lines.length;
      if (unchecked >= rowsBetweenChecks) {
        await checkRights();
        unchecked = 0;
      }
      yield lines.map((line) => parseRow(line, parsers));
    }
    await checkRights();
    await client.query('commit');
    complete = true;
  } finally {
    // An unfinished statement ends with its connection.
    client.release(!complete);
  }
}

async function readGeneration(db: Db): Promise<string> {
  const { rows } = await sql<{ generation: string }>`select generation from access_generation`.execute(db);
  return one(rows).generation;
}

/** COPY does not say the types of its columns. Null for text, which is used as it is. */
async function describeColumns(client: pg.ClientBase, text: string): Promise<readonly (ParseValue | null)[]> {
  const { fields } = await client.query(`select * from (${text}) described limit 0`);
  const { UUID, VARCHAR, TEXT } = pg.types.builtins;
  return fields.map(({ dataTypeID }) =>
    [UUID, VARCHAR, TEXT].includes(dataTypeID) ? null : (pg.types.getTypeParser(dataTypeID, 'text') as ParseValue),
  );
}

/** The lines of a COPY in batches. Bytes of a line whose end has not arrived are kept. */
async function* batchesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest: Buffer[] = [];
  let batch: string[] = [];
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(10);
    if (end < 0) {
      rest.push(chunk);
      continue;
    }
    const whole = chunk.subarray(0, end);
    const lines = (rest.length === 0 ? whole : Buffer.concat([...rest, whole])).toString().split('\n');
    rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    batch = batch.length === 0 ? lines : batch.concat(lines);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function parseRow(line: string, parsers: readonly (ParseValue | null)[]): unknown[] {
  const row: unknown[] = line.split('\t');
  const escaped = line.includes('\\');
  for (let at = 0; at < parsers.length; at++) {
    const value = row[at] as string;
    const parse = parsers[at] as ParseValue | null;
    if (escaped && value.includes('\\')) {
      const text = value === '\\N' ? null : value.replace(/\\(.)/g, unescapeOne);
      row[at] = text === null || parse === null ? text : parse(text);
    } else if (parse !== null) row[at] = parse(value);
  }
  return row;
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const unescapeOne = (_: string, letter: string): string => escapes[letter] ?? letter;

/** COPY takes no parameters, so their values become part of the statement. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literal(value));
  }
}
const withoutParameters = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new LiteralCompiler(),
  },
});

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = Array.isArray(value)
    ? `{${value.map(arrayElement).join(',')}}`
    : value instanceof Date
      ? value.toISOString()
      : String(value);
  if (text.includes('\0')) throw new Error('A value with a NUL character cannot be part of a statement.');
  return pg.escapeLiteral(text);
}

const arrayElement = (value: unknown): string => (value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`);
