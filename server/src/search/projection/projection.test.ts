import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import { until } from '../../../test/service.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { silentLog } from '../../platform/log/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { itemsDirectory, openSearchReader, openSearchWriter, type SearchReader } from '../engines/index.ts';
import { addLibraryToOutbox, createProjector, findDrift, outboxDepth, type Projector, repairDrift, requestNewRebuild } from './index.ts';
import { readRebuild, writeRebuild } from './store.ts';

describe('the index is a projection of the database', () => {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-projection-'));
  const settings = settingsForTests({ SVC_CONFIG_DIR: configDir });
  let database: Database;
  let parts: Dependencies;
  let reader: SearchReader;
  let projector: Projector;
  let library: string;
  let folder: number;

  const addItem = async (name: string, more: { tags?: string[]; body?: string; metadata?: object } = {}): Promise<string> => {
    const { rows } = await sql<{
      id: string;
    }>`insert into items (library_id, folder_id, filename, extension, file_category, file_group, size, mtime_ns, tags, body_text, metadata)
      values (${library}, ${folder}, ${name}, ${name.split('.').at(-1)!}, 'document', 'pdf', 10, 1700000000000000000, ${more.tags ?? []}, ${more.body ?? null}, ${JSON.stringify(more.metadata ?? {})}::jsonb) returning id`.execute(
      database.db,
    );
    return rows[0]!.id;
  };
  const find = async (text: string): Promise<string[]> =>
    (await reader.search({ text, filter: { eq: ['status', 'active'] } })).hits.map((hit) => hit.id);
  const settled = () => until(async () => (await outboxDepth(database.db)) === 0, 'the outbox to be drained');
  const drift = async () => {
    const found = await findDrift(database.db, reader, 100);
    return [found.missing.length, found.stale.length, found.extra.length];
  };

  beforeAll(async () => {
    database = await cloneDatabase();
    parts = { db: database.db, database, settings, log: silentLog, clock: systemClock };
    library = (
      await sql<{ id: string }>`insert into libraries (name, root_path) values ('Docs', '/docs') returning id`.execute(database.db)
    ).rows[0]!.id;
    folder = (
      await sql<{ id: number }>`insert into folders (library_id, rel_path, path) values (${library}, 'docs', 'docs') returning id`.execute(
        database.db,
      )
    ).rows[0]!.id;
    reader = openSearchReader(settings);
    projector = createProjector(parts, openSearchWriter(settings));
    projector.start();
  });
  afterAll(async () => {
    await projector.stop();
    await reader.close();
    await database.close();
    rmSync(configDir, { recursive: true, force: true });
  });

  test('the index follows an item that is added, changed, missing, restored and removed', async () => {
    const id = await addItem('harbour-survey.pdf', { body: 'load test of the crane' });
    await until(async () => (await find('harbour')).includes(id), 'the new item');
    expect(await find('crane')).toEqual([id]);
    await sql`update items set tags = '{bergen}' where id = ${id}`.execute(database.db);
    await until(async () => (await find('bergen')).includes(id), 'the tag');
    await sql`update items set status = 'missing' where id = ${id}`.execute(database.db);
    await until(async () => (await find('harbour')).length === 0, 'the tombstone');
    await sql`update items set status = 'active' where id = ${id}`.execute(database.db);
    await until(async () => (await find('harbour')).includes(id), 'the revival');
    await sql`delete from items where id = ${id}`.execute(database.db);
    await until(async () => (await find('harbour')).length === 0, 'the removal');
    await settled();
    expect(await drift()).toEqual([0, 0, 0]);
  });

  test('GPS is in the index only while the library exposes it; changing that re-projects in both directions', async () => {
    const id = await addItem('photo.jpg', { metadata: { exif: { gps_latitude: 60.39, gps_longitude: 5.32 } } });
    await settled();
    const near = async () =>
      (await reader.search({ filter: { geoRadius: { lat: 60.39, lng: 5.32, metres: 1000 } } })).hits.map((hit) => hit.id);
    expect(await near()).toEqual([]);
    for (const exposed of [true, false]) {
      await sql`update libraries set expose_gps = ${exposed} where id = ${library}`.execute(database.db);
      await addLibraryToOutbox(database.db, library);
      await until(async () => (await near()).includes(id) === exposed, `the point to be ${exposed ? 'there' : 'gone'}`);
    }
  });

  test('a file that is read again with the same result leaves no old document in the index', async () => {
    const id = await addItem('again.pdf', { body: 'same text' });
    await settled();
    await sql`update items set extracted_key = 'another content' where id = ${id}`.execute(database.db);
    await settled();
    expect(await drift()).toEqual([0, 0, 0]);
  });

  test('documents with extreme metadata are indexed', async () => {
    const id = await addItem('hostile.pdf', { body: 'x'.repeat(100_000), tags: ['t'.repeat(400)] });
    await sql`update items set title = ${'endless '.repeat(5000)}, metadata = ('{"width": 1e999, "duration": -1e400, "genre": "' || repeat('g', 20000) || '", "camera": [1, null, "c"], "exif": {"gps_latitude": 1e300}}')::jsonb where id = ${id}`.execute(
      database.db,
    );
    await until(async () => (await find('endless hostile')).includes(id), 'the hostile item');
    await settled();
    expect(await drift()).toEqual([0, 0, 0]);
  });

  test('drift is found by content, not by counts, and repaired without changing items', async () => {
    const [one, two] = [await addItem('one.pdf'), await addItem('two.pdf')];
    await settled();
    await projector.stop();
    // One document is removed, one added and one changed, so the count stays the same.
    const alien = openSearchWriter(settings);
    await alien.write({
      upsert: [
        { id: '00000000-0000-7000-8000-000000000001', fingerprint: 'x', filename: 'alien.pdf', status: 'active' },
        { id: two, fingerprint: 'old', filename: 'wrong.pdf', status: 'active' },
      ],
      remove: [one],
    });
    await alien.close();
    const found = await findDrift(database.db, reader, 100);
    expect([found.missing, found.stale, found.extra]).toEqual([[one], [two], ['00000000-0000-7000-8000-000000000001']]);
    expect(await repairDrift(database.db, found)).toBe(3);
    projector = createProjector(parts, openSearchWriter(settings));
    projector.start();
    await settled();
    expect(await drift()).toEqual([0, 0, 0]);
    expect(await find('alien')).toEqual([]);
  });

  test('what was indexed during a comparison is no drift', async () => {
    const id = await addItem('changed meanwhile.pdf');
    await settled();
    let lists = 0;
    const behind: SearchReader = {
      ...reader,
      async *list() {
        lists += 1;
        for await (const page of reader.list())
          yield lists === 1 ? page.map((each) => (each.id === id ? { id, fingerprint: 'of the last version' } : each)) : page;
      },
    };
    const found = await findDrift(database.db, behind, 100);
    expect([lists, found.missing, found.stale, found.extra]).toEqual([2, [], [], []]);
  });

  test('a rebuild swaps in a shadow index while searches continue, and misses no change made meanwhile', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => addItem(`ledger ${n}.pdf`)));
    await until(async () => (await find('ledger')).length >= 20 && (await reader.search({ text: 'ledger' })).total === 30, 'the ledgers');
    await writeRebuild(database.db, { id: 'a', status: 'requested', documents: 0, total: 0, error: null });
    const seen: number[] = [];
    await until(async () => {
      seen.push((await reader.search({ text: 'ledger', limit: 50 })).total);
      if (seen.length === 1) await addItem('ledger late.pdf');
      return (await readRebuild(database.db))?.status === 'done';
    }, 'the rebuild');
    await settled();
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(30);
    await until(async () => (await find('late')).length === 1, 'the late item');
    expect(await drift()).toEqual([0, 0, 0]);
  });

  test('a wiped or damaged index is rebuilt automatically; until then search is unavailable', async () => {
    for (const harm of ['wiped', 'damaged']) {
      await projector.stop();
      await reader.close();
      const directory = itemsDirectory(settings);
      if (harm === 'wiped') rmSync(directory, { recursive: true, force: true });
      else
        for (const name of readdirSync(directory, { recursive: true, withFileTypes: true }))
          if (name.isFile() && !/lock|manifest/i.test(name.name)) writeFileSync(path.join(name.parentPath, name.name), 'garbage');
      await expect(reader.search({ text: 'ledger' })).rejects.toMatchObject({ rebuild: true });
      projector = createProjector(parts, openSearchWriter(settings));
      projector.start();
      await until(async () => (await find('ledger')).length > 0, `search after the index was ${harm}`);
      await settled();
      expect(await drift()).toEqual([0, 0, 0]);
    }
  });
  test('a rebuild that nobody requested is recorded while it runs', async () => {
    await projector.stop();
    await reader.close();
    rmSync(itemsDirectory(settings), { recursive: true, force: true });
    const writer = openSearchWriter(settings);
    let during: string | undefined;
    projector = createProjector(parts, {
      ...writer,
      async rebuild(pages) {
        during = (await readRebuild(database.db))?.status;
        return writer.rebuild(pages);
      },
    });
    projector.start();
    await until(async () => during !== undefined && (await readRebuild(database.db))?.status === 'done', 'the rebuild');
    expect(during).toBe('running');
  });

  test('a rebuild that is requested during another one is done after it', async () => {
    await projector.stop();
    const writer = openSearchWriter(settings);
    let builds = 0;
    let second = '';
    await requestNewRebuild(database.db);
    projector = createProjector(parts, {
      ...writer,
      async rebuild(pages) {
        builds += 1;
        if (builds === 1) second = await requestNewRebuild(database.db);
        return writer.rebuild(pages);
      },
    });
    projector.start();
    await until(async () => (await readRebuild(database.db))?.status === 'done', 'the rebuild');
    expect([builds, (await readRebuild(database.db))?.id]).toEqual([2, second]);
  });

  test('a missing index and a requested rebuild, as after a restore, are served by one build', async () => {
    await projector.stop();
    const empty = settingsForTests({ SVC_CONFIG_DIR: mkdtempSync(path.join(configDir, 'empty-')) });
    const writer = openSearchWriter(empty);
    let builds = 0;
    const counting: typeof writer = {
      ...writer,
      rebuild(pages) {
        builds += 1;
        return writer.rebuild(pages);
      },
    };
    await requestNewRebuild(database.db);
    projector = createProjector({ ...parts, settings: empty }, counting);
    projector.start();
    await until(async () => (await readRebuild(database.db))?.status === 'done', 'the rebuild');
    await settled();
    expect(builds).toBe(1);
  });

  test('a rebuild reports its progress also where long texts make its pages short', async () => {
    const own = await cloneDatabase();
    const books = (
      await sql<{ id: string }>`insert into libraries (name, root_path) values ('Books', '/books') returning id`.execute(own.db)
    ).rows[0]!.id;
    await sql`insert into folders (library_id, rel_path, path) values (${books}, 'books', 'books')`.execute(own.db);
    await sql`insert into items (library_id, folder_id, filename, size, mtime_ns, body_text)
      select ${books}, f.id, n::text, 1, 0, case when n <= 2 then repeat('x', 40000000) end from folders f, generate_series(1, 13000) n
      where f.library_id = ${books} and f.rel_path = 'books'`.execute(own.db);
    const seen: number[] = [];
    const reading = createProjector(
      { ...parts, db: own.db, database: own },
      {
        ...openSearchWriter(settings),
        unusable: async () => null,
        write: async () => {},
        async rebuild(pages) {
          for await (const _ of pages) seen.push((await readRebuild(own.db))?.documents ?? 0);
          return { documents: 0 };
        },
      },
    );
    await requestNewRebuild(own.db);
    reading.start();
    try {
      await until(async () => (await readRebuild(own.db))?.status === 'done', 'the rebuild');
    } finally {
      await reading.stop();
      await own.close();
    }
    expect(Math.max(...seen)).toBeGreaterThanOrEqual(10_000);
  }, 120_000);
});
