import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { makeDbf, makeParquet, writeSqlite } from '../../../test/samples/system-files.ts';
import { defaultLimits } from '../../contract.ts';
import { dbf } from './dbf.ts';
import { parquet } from './parquet.ts';
import { sqlite } from './sqlite.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const sqliteSource = async (filename: string, statements: string) => {
  const path = join(samples.folder, filename);
  await writeSqlite(path, statements);
  return { path, filename, extension: 'sqlite', size: readFileSync(path).length, limits: defaultLimits };
};

describe('sqlite', () => {
  it('lists tables with columns and row counts', async () => {
    const source = await sqliteSource(
      'shop.sqlite',
      `CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO "odd ""name"(label) VALUES ('a'),('b'),('c');
       CREATE TABLE empty (x); CREATE VIEW seen AS SELECT 1; CREATE INDEX quick ON empty(x); PRAGMA user_version = 7;`,
    );
    const extracted = await sqlite.read(source);
    expect(extracted.metadata['database']).toMatchObject({
      format: 'sqlite',
      table_count: 2,
      view_count: 1,
      index_count: 1,
      rows: 3,
      user_version: 7,
      encoding: 'utf-8',
      tables: [
        { name: 'odd "name', columns: ['id', 'label'], rows: 3 },
        { name: 'empty', columns: ['x'], rows: 0 },
      ],
    });
    expect(extracted.bodyText).toContain('odd "name id label');
  });

  it('reports no number of rows where they are not counted', async () => {
    const source = await sqliteSource('large.sqlite', 'CREATE TABLE t(a); INSERT INTO t VALUES (1);');
    truncateSync(source.path, 1_100_000_000);
    const database = (await sqlite.read(source)).metadata['database'] as Record<string, unknown>;
    expect(database).toMatchObject({ table_count: 1, tables: [{ name: 't', columns: ['a'] }] });
    expect(database['rows']).toBeUndefined();
  });

  it('creates no files next to a database in WAL mode', async () => {
    const source = await sqliteSource('wal.sqlite', 'PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1);');
    const before = readdirSync(samples.folder).sort();
    const bytes = readFileSync(source.path);
    await sqlite.read(source);
    expect(readdirSync(samples.folder).sort()).toEqual(before);
    expect(readFileSync(source.path).equals(bytes)).toBe(true);
  });

  it('rejects a damaged schema and a missing header as corrupt, and reports other .db files as unknown', async () => {
    const source = await sqliteSource('torn.sqlite', 'CREATE TABLE t(a); CREATE TABLE u(b);');
    const bytes = readFileSync(source.path);
    writeFileSync(source.path, Buffer.concat([bytes.subarray(0, 110), Buffer.alloc(bytes.length - 110, 0xff)]));
    await expect(sqlite.read(source)).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(sqlite.read(samples.source('text.sqlite', 'not a database'))).rejects.toMatchObject({ kind: 'corrupt' });
    expect((await sqlite.read(samples.source('thumbs.db', 'something else'))).metadata).toEqual({ database: { format: 'unknown' } });
  });
});

describe('dbf', () => {
  it('reads columns and the number of records', async () => {
    const { metadata } = await dbf.read(samples.source('a.dbf', makeDbf(2)));
    expect(metadata['database']).toEqual({
      format: 'dbf',
      variant: 'dbase3',
      rows: 2,
      columns: [
        { name: 'NAME', type: 'C', length: 12 },
        { name: 'PRICE', type: 'N', length: 8 },
      ],
      column_count: 2,
      modified: '2024-05-06',
    });
  });

  it('rejects a table that declares more records than it contains', async () => {
    await expect(dbf.read(samples.source('b.dbf', makeDbf(2, 4_000_000_000)))).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(dbf.read(samples.source('c.dbf', Buffer.alloc(10)))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('parquet', () => {
  it('reads rows and columns from the footer', async () => {
    const { metadata } = await parquet.read(samples.source('a.parquet', makeParquet()));
    expect(metadata['database']).toMatchObject({
      rows: 7,
      column_count: 2,
      columns: [
        { name: 'id', type: 'int64' },
        { name: 'label', type: 'byte_array' },
      ],
      created_by: 'sample',
    });
  });

  it('reads every truncated or modified file or rejects it as corrupt or guard', async () => {
    const whole = makeParquet();
    for (let i = 0; i < whole.length; i++) {
      const flipped = Buffer.from(whole);
      flipped[i] = flipped[i]! ^ 0xff;
      for (const bytes of [flipped, whole.subarray(0, i)]) {
        await parquet
          .read(samples.source('x.parquet', bytes))
          .catch((error: unknown) => expect(['corrupt', 'guard']).toContain((error as { kind: string }).kind));
      }
    }
  });
});
