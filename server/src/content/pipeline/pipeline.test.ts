import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSandboxPool, ocrTaskModule, type SandboxPool, sniffTaskModule, thumbTaskModule } from '@catalog/readers';
import { strToU8, zipSync } from 'fflate';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import type { TaskContext } from '../../platform/queue/index.ts';
import { sniffContent } from '../sniff/index.ts';
import { sniffLibraryTask } from '../sniff/tasks.ts';
import { createThumbStore } from '../thumbs/index.ts';
import { reachablePath } from './file-job.ts';
import { type ExtractionDependencies, processItem } from './process-item.ts';
import { queueStale, requeuePending, retryExtracts } from './queue.ts';
import { addPending, claimPending, countPending, listThumbsDue, releaseClaims } from './store.ts';

describe('extraction of a scanned file', () => {
  let t: TestApp;
  let root: string;
  let library: string;
  let folder: number;
  let pool: SandboxPool;
  let parts: ExtractionDependencies;
  let thumbsAllowed = true;

  beforeAll(async () => {
    t = await createTestApp();
    root = mkdtempSync(path.join(os.tmpdir(), 'catalog-pipeline-'));
    mkdirSync(path.join(root, 'in'));
    library = (await sql<{ id: string }>`insert into libraries (name, root_path) values ('In', ${root}) returning id`.execute(t.deps.db))
      .rows[0]!.id;
    folder = (
      await sql<{ id: number }>`insert into folders (library_id, rel_path, path) values (${library}, 'in', 'in') returning id`.execute(
        t.deps.db,
      )
    ).rows[0]!.id;
    pool = createSandboxPool({ size: 1, background: false, tasks: { thumb: thumbTaskModule, ocr: ocrTaskModule, sniff: sniffTaskModule } });
    parts = {
      db: t.deps.db,
      settings: t.deps.settings,
      pool,
      thumbs: createThumbStore({ folder: path.join(t.configDir, 'thumbs') }),
      mayWriteThumbs: async () => thumbsAllowed,
    };
  });
  afterAll(async () => {
    pool.close();
    await t.close();
    rmSync(root, { recursive: true, force: true });
  });

  const add = async (name: string, bytes: Buffer | Uint8Array, hash: string | null = null): Promise<string> => {
    writeFileSync(path.join(root, 'in', name), bytes);
    const { mtimeNs } = statSync(path.join(root, 'in', name), { bigint: true });
    const extension = name.split('.').at(-1)!;
    const { rows } = await sql<{
      id: string;
    }>`insert into items (library_id, folder_id, filename, extension, size, mtime_ns, content_hash, quick_hash)
      values (${library}, ${folder}, ${name}, ${extension}, ${bytes.length}, ${String(mtimeNs)}, ${hash}, ${hash?.slice(0, 16) ?? 'q'}) returning id`.execute(
      t.deps.db,
    );
    return rows[0]!.id;
  };
  const job = '01a1dd25-f4f0-73a1-bb93-7c6aea54485d';
  const work = async (forced = false): Promise<string[]> => {
    const ids = (await sql<{ id: string }>`select id from items`.execute(t.deps.db)).rows.map((row) => row.id);
    await addPending(t.deps.db, library, ids, forced);
    const outcomes: string[] = [];
    for (const item of await claimPending(t.deps.db, job, library, 100))
      outcomes.push(await processItem(parts, item, new AbortController().signal));
    return outcomes;
  };
  const row = async (id: string) =>
    (
      await sql<{
        metadata: Record<string, unknown>;
        title: string;
        body_text: string;
        thumb_key: string | null;
      }>`select metadata, title, body_text, thumb_key from items where id = ${id}`.execute(t.deps.db)
    ).rows[0]!;

  test('text and thumbnail are extracted; the second run reads nothing; identical bytes are read once', async () => {
    const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const [note, photo] = [
      await add('note.txt', Buffer.from('The crane of the north harbour.'), 'a'.repeat(64)),
      await add('photo.jpg', picture, 'b'.repeat(64)),
    ];
    expect(await work()).toEqual(['extracted', 'extracted']);
    expect((await row(note)).body_text).toContain('north harbour');
    expect((await row(photo)).metadata).toMatchObject({ width: 640, height: 480 });
    expect(await countPending(t.deps.db)).toBe(0);
    expect(await work()).toEqual(['unchanged', 'unchanged']);
    const twin = await add('copy.jpg', picture, 'b'.repeat(64));
    expect((await work()).sort()).toEqual(['copied', 'unchanged', 'unchanged']);
    expect(await row(twin)).toEqual(await row(photo));
  });

  test('a file that is renamed while it is read is read again under its new name, and loses the error of the old one', async () => {
    const { db } = t.deps;
    const rename = async (id: string, from: string, to: string) => {
      renameSync(path.join(root, 'in', from), path.join(root, 'in', to));
      await sql`update items set filename = ${to}, extension = ${to.split('.').at(-1)!} where id = ${id}`.execute(db);
    };
    const [bad, read] = [
      await add('bad.pdf', Buffer.from('not a pdf at all'), '1'.repeat(64)),
      await add('held.dat', Buffer.from('held words')),
    ];
    await addPending(db, library, [bad, read]);
    const [badClaimed, readClaimed] = await claimPending(db, job, library, 2);
    expect(await processItem(parts, badClaimed!, new AbortController().signal)).toBe('failed');
    await rename(bad, 'bad.pdf', 'bad.txt');
    await rename(read, 'held.dat', 'held.txt');
    expect(await processItem(parts, readClaimed!, new AbortController().signal)).toBe('gone');
    expect(await countPending(db)).toBe(1);
    await releaseClaims(db, job);
    await addPending(db, library, [bad]);
    for (const item of await claimPending(db, job, library, 2)) await processItem(parts, item, new AbortController().signal);
    expect(await row(bad)).toMatchObject({ metadata: {}, body_text: expect.stringContaining('not a pdf') });
    expect((await row(read)).body_text).toContain('held words');
    expect(await countPending(db)).toBe(0);
    await sql`delete from items where id in (${bad}, ${read})`.execute(db);
  });

  test('the text of a file that has changed since the scan never appears in copies of the old bytes', async () => {
    const { db } = t.deps;
    const edited = await add('edited.txt', Buffer.from('the old words'), 'c'.repeat(64));
    writeFileSync(path.join(root, 'in', 'edited.txt'), 'a secret');
    await work();
    expect((await row(edited)).body_text).toContain('a secret');
    const copy = await add('untouched.txt', Buffer.from('the old words'), 'c'.repeat(64));
    expect((await work()).filter((outcome) => outcome !== 'unchanged')).toEqual(['extracted']);
    expect((await row(copy)).body_text).toContain('the old words');
    expect(await countPending(db)).toBe(0);
    await sql`delete from items where id in (${edited}, ${copy})`.execute(db);
  });

  test('a file that changes while it is read is left to the next scan, without a thumbnail of other bytes', async () => {
    const { db } = t.deps;
    const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const id = await add('painted.png', picture, 'd'.repeat(64));
    await addPending(db, library, [id]);
    const [claimed] = await claimPending(db, job, library, 1);
    const written: string[] = [];
    const changing: ExtractionDependencies = {
      ...parts,
      pool: new Proxy(pool, {
        get: (target, name) =>
          name === 'run'
            ? async (...args: Parameters<SandboxPool['run']>) => {
                const drawn = await target.run(...args);
                writeFileSync(path.join(root, 'in', 'painted.png'), 'other bytes');
                return drawn;
              }
            : Reflect.get(target, name),
      }),
      thumbs: { ...parts.thumbs, write: async (key) => void written.push(key) },
    };
    expect(await processItem(changing, claimed!, new AbortController().signal)).toBe('gone');
    expect(written).toEqual([]);
    expect(await row(id)).toMatchObject({ metadata: {}, thumb_key: null });
    expect(await countPending(db)).toBe(0);
    await sql`delete from items where id = ${id}`.execute(db);
  });

  test('an extension added to a category is read by the extractor that the category declares', async () => {
    const { db } = t.deps;
    const added = await t.request('POST', '/taxonomy/groups/raster-photo/extensions', { ext: 'jpgx' });
    expect(added.statusCode, added.body).toBe(200);
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const photo = await add('x.jpgx', picture, 'e'.repeat(64));
    const project = await add('song.flpx', Buffer.from('not audio at all'), 'f'.repeat(64));
    await sql`update items set file_category = 'image', file_group = 'raster-photo' where id = ${photo}`.execute(db);
    await sql`update items set file_category = 'audio', file_group = 'audio-project' where id = ${project}`.execute(db);
    await work();
    expect((await row(photo)).metadata).toMatchObject({ width: 300, height: 200, format: 'JPEG' });
    expect((await row(photo)).thumb_key).not.toBeNull();
    expect((await row(project)).metadata).toEqual({});
    expect(await queueStale(db, true)).toBe(0);
    await sql`update categories set extractor = null where key = 'image'`.execute(db);
    await sql`update items set extracted_key = 'x:none:jpgx' where id = ${photo}`.execute(db);
    expect(await queueStale(db, true)).toBe(0);
    await sql`update categories set extractor = 'image' where key = 'image'`.execute(db);
    expect(await queueStale(db, true)).toBe(1);
    await sql`delete from items where id in (${photo}, ${project})`.execute(db);
    await sql`delete from jobs`.execute(db);
  });

  test('the reaper of pending items queues only the jobs that are missing', async () => {
    const { db } = t.deps;
    const made = await sql<{ id: string }>`insert into items (library_id, folder_id, filename, extension, size, mtime_ns)
      select ${library}, ${folder}, 'many' || n, null, 1, 1 from generate_series(1, 100) n returning id`.execute(db);
    await addPending(
      db,
      library,
      made.rows.map(({ id }) => id),
    );
    const jobs = async () => (await sql<{ n: number }>`select count(*) as n from jobs where task = 'extract_batch'`.execute(db)).rows[0]!.n;
    await requeuePending(db);
    expect(await jobs()).toBe(3);
    for (let round = 0; round < 5; round += 1) await requeuePending(db);
    expect(await jobs()).toBe(3);
    await sql`delete from jobs where id = (select id from jobs limit 1)`.execute(db);
    await requeuePending(db);
    expect(await jobs()).toBe(3);
    await sql`delete from items where id = any(${made.rows.map(({ id }) => id)}::uuid[])`.execute(db);
    await sql`delete from jobs`.execute(db);
  });

  test('the thumbnail is served with an ETag under the caller’s rights; without one the response is 404', async () => {
    const { rows } = await sql<{ id: string; filename: string }>`select id, filename from items`.execute(t.deps.db);
    const id = (name: string) => rows.find((each) => each.filename === name)!.id;
    const { thumb_version } = (await t.request('GET', `/items/${id('photo.jpg')}`)).json();
    const answer = await t.request('GET', `/items/${id('photo.jpg')}/thumb?tier=preview&v=${thumb_version}`, undefined, { as: 'read' });
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'private, max-age=31536000, immutable',
    ]);
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(640);
    expect(
      (
        await t.request('GET', `/items/${id('photo.jpg')}/thumb?tier=preview`, undefined, {
          headers: { 'if-none-match': answer.headers['etag'] as string },
        })
      ).statusCode,
    ).toBe(304);
    const unversioned = await t.request('GET', `/items/${id('photo.jpg')}/thumb?tier=preview`);
    expect(unversioned.headers['cache-control']).toBe('private, no-cache');
    const another = await t.request('GET', `/items/${id('photo.jpg')}/thumb?tier=preview&v=0123456789abcdef`);
    expect(another.headers['cache-control'], 'the name of another picture').toBe('private, no-cache');
    expect((await t.request('GET', `/items/${id('note.txt')}/thumb`)).json()).toMatchObject({ status: 404, code: 'thumb_missing' });
    expect((await t.request('GET', '/items/01a1dd25-f4f0-73a1-bb93-7c6aea54485d/thumb')).statusCode).toBe(404);
    expect((await t.request('GET', `/items/${id('photo.jpg')}/thumb?tier=huge`)).statusCode).toBe(422);
  });

  test('a thumbnail skipped on a full disk, or evicted and requested, is drawn once there is space; nothing else is read again', async () => {
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'olive' } })
      .png()
      .toBuffer();
    thumbsAllowed = false;
    const [one, two] = [await add('no-room.png', picture, '9'.repeat(64)), await add('no-room-twin.png', picture, '9'.repeat(64))];
    await work();
    expect([(await row(one)).thumb_key, (await row(two)).thumb_key]).toEqual([null, null]);
    expect([...(await listThumbsDue(t.deps.db, 10)).values()].flat().sort()).toEqual([one, two].sort());
    thumbsAllowed = true;
    await work();
    const key = (await row(one)).thumb_key!;
    expect((await row(two)).thumb_key).toBe(key);
    expect(await parts.thumbs.has(key)).toBe(true);
    expect((await listThumbsDue(t.deps.db, 10)).size).toBe(0);
    await parts.thumbs.remove(key);
    expect((await t.request('GET', `/items/${one}/thumb`)).json().code).toBe('thumb_missing');
    expect([...(await listThumbsDue(t.deps.db, 10)).values()].flat()).toEqual([one]);
    await work();
    expect((await t.request('GET', `/items/${one}/thumb`)).statusCode).toBe(200);
  });

  test('a folder that became a symbolic link out of the library since the scan is not read', async () => {
    const outside = mkdtempSync(path.join(os.tmpdir(), 'catalog-outside-'));
    writeFileSync(path.join(outside, 'secret.txt'), 'not for the catalog');
    symlinkSync(outside, path.join(root, 'in', 'linked'));
    const { rows } = await sql<{
      id: string;
    }>`with linked as (insert into folders (library_id, rel_path, path) values (${library}, 'in/linked', 'x'::ltree) returning id)
      insert into items (library_id, folder_id, filename, extension, size, mtime_ns, quick_hash)
      select ${library}, id, 'secret.txt', 'txt', 19, 1, 'q' from linked returning id`.execute(t.deps.db);
    expect(await work()).toContain('gone');
    expect((await row(rows[0]!.id)).body_text).toBeNull();
    await sql`delete from items where id = ${rows[0]!.id}`.execute(t.deps.db);
    rmSync(path.join(root, 'in', 'linked'));
    rmSync(outside, { recursive: true });
  });

  test('maintenance extracts files again that an older extractor version, or none, has read', async () => {
    const stale = await add('stale.txt', Buffer.from('Old words.'), '7'.repeat(64));
    const unread = await add('unread.txt', Buffer.from('New words.'), '8'.repeat(64));
    await work();
    expect(await queueStale(t.deps.db, true)).toBe(0);
    await sql`update items set extracted_key = replace(extracted_key, 'text@', 'text@0') where id = ${stale}`.execute(t.deps.db);
    await sql`update items set extracted_key = '8:none:txt' where id = ${unread}`.execute(t.deps.db);
    expect(await queueStale(t.deps.db, true)).toBe(2);
    expect((await work()).filter((outcome) => outcome === 'extracted')).toHaveLength(2);
    expect(await queueStale(t.deps.db, true)).toBe(0);
  });

  test('a failure is stored with its kind and without host paths; a retry clears it and queues the item once', async () => {
    const broken = await add('broken.docx', Buffer.from('PK\u0003\u0004 this is no document'), 'c'.repeat(64));
    await work();
    const failed = await row(broken);
    expect(failed.metadata).toMatchObject({ _extract_error_kind: 'corrupt' });
    expect(JSON.stringify(failed.metadata)).not.toContain(root);
    expect((await t.request('POST', `/libraries/${library}/retry-extracts`)).json()).toEqual({ library_id: library, retried: 1 });
    expect((await row(broken)).metadata).toEqual({});
    expect(await retryExtracts(t.deps.db)).toBe(0);
    expect(await countPending(t.deps.db)).toBe(1);
    writeFileSync(
      path.join(root, 'in', 'broken.docx'),
      zipSync({
        'word/document.xml': strToU8('<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>Repaired</w:t></w:r></w:p></w:body></w:document>'),
        '[Content_Types].xml': strToU8('<Types/>'),
      }),
    );
    await work();
    expect((await row(broken)).body_text).toContain('Repaired');
  });

  test('a library’s override applies to the next run: a lower limit is a guard error, a higher one reads the file', async () => {
    const big = await add(
      'big.docx',
      zipSync({
        'word/document.xml': strToU8(
          `<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>${'word '.repeat(2000)}</w:t></w:r></w:p></w:body></w:document>`,
        ),
        '[Content_Types].xml': strToU8('<Types/>'),
      }),
      'd'.repeat(64),
    );
    await sql`update libraries set extract_overrides = '{"document_max_bytes": 10}' where id = ${library}`.execute(t.deps.db);
    await work();
    expect((await row(big)).metadata).toMatchObject({ _extract_error_kind: 'guard' });
    await sql`update libraries set extract_overrides = null where id = ${library}`.execute(t.deps.db);
    await retryExtracts(t.deps.db, library);
    await work();
    expect((await row(big)).body_text).toContain('word word');
  });

  test('facts that do not come from the bytes survive a new extraction', async () => {
    const id = await add('film.txt', Buffer.from('one'), 'e'.repeat(64));
    await sql`update items set metadata = '{"nfo_title": "Kept", "origin_url": "https://example.org/a", "old": 1}' where id = ${id}`.execute(
      t.deps.db,
    );
    await work();
    const { metadata } = await row(id);
    expect(metadata).toMatchObject({ nfo_title: 'Kept', origin_url: 'https://example.org/a' });
    expect(metadata).not.toHaveProperty('old');
  });

  test('a missing file keeps its known facts; a critically full disk writes no thumbnail and causes no failure', async () => {
    const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const [gone, drawn] = [await add('gone.txt', Buffer.from('x'), 'f'.repeat(64)), await add('full.png', photo, '1'.repeat(64))];
    rmSync(path.join(root, 'in', 'gone.txt'));
    thumbsAllowed = false;
    const outcomes = await work();
    thumbsAllowed = true;
    expect(outcomes).toContain('gone');
    expect((await row(gone)).metadata).toEqual({});
    expect(await row(drawn)).toMatchObject({ thumb_key: null, metadata: { width: 64 } });
  });

  const stopped = { ok: false, kind: 'timeout', message: '', stopped: true } as const;
  test('text is recognised only in a library that enables it', async () => {
    const words = await sharp(
      Buffer.from(
        '<svg width="1200" height="300"><rect width="100%" height="100%" fill="white"/><text x="40" y="170" font-size="80" font-family="sans-serif">Mooring fees</text></svg>',
      ),
    )
      .png()
      .toBuffer();
    const scan = await add('scan.png', words, '2'.repeat(64));
    await work();
    expect((await row(scan)).metadata).not.toHaveProperty('ocr_text');
    await sql`update libraries set ocr_enabled = true where id = ${library}`.execute(t.deps.db);
    // A recognition that was stopped is not an empty one: the file waits for the next run.
    const { run } = pool;
    parts = { ...parts, pool: { ...pool, run: (task, ...rest) => (task === 'ocr' ? Promise.resolve(stopped) : run(task, ...rest)) } };
    expect(await work()).toContain('stopped');
    parts = { ...parts, pool };
    await releaseClaims(t.deps.db, job);
    expect((await row(scan)).metadata).not.toHaveProperty('ocr_source_hash');
    await work();
    expect((await row(scan)).metadata).toMatchObject({
      ocr_text: expect.stringContaining('Mooring fees'),
      ocr_source_hash: '2'.repeat(64),
    });
    await sql`update libraries set ocr_enabled = false where id = ${library}`.execute(t.deps.db);
  });

  test('a file without an extension is classified by its bytes once, within the batch, and then extracted like its type', async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const ids: string[] = [];
    for (const [name, bytes] of [
      ['picture', picture],
      ['prose', Buffer.from('Plain words, nothing else.')],
    ] as const) {
      const id = await add(name, bytes);
      ids.push(id);
      await sql`update items set extension = null where id = ${id}`.execute(t.deps.db);
    }
    expect(await sniffContent(t.deps.db, pool, { batch: 1, readBytes: 65_536, reach: reachablePath })).toEqual({
      sniffed: 1,
      recognised: 1,
      remaining: 1,
    });
    const told: string[] = [];
    const recognised = async (_library: string, ids: readonly string[]) => told.push(...ids);
    expect(await sniffContent(t.deps.db, pool, { batch: 10, readBytes: 65_536, reach: reachablePath, recognised })).toEqual({
      sniffed: 1,
      recognised: 1,
      remaining: 0,
    });
    const { rows } = await sql<{
      filename: string;
      file_category: string;
    }>`select filename, file_category from items where extension is null order by filename`.execute(t.deps.db);
    expect(rows).toEqual([
      { filename: 'picture', file_category: 'image' },
      { filename: 'prose', file_category: 'document' },
    ]);
    expect(told).toEqual([ids[1]]);
    await work();
    expect(await row(ids[0]!)).toMatchObject({ metadata: { width: 8, format: 'PNG' }, thumb_key: expect.any(String) });
    expect((await row(ids[1]!)).body_text).toContain('Plain words');
  });

  test('in a library that asks for it, files without an extension are read by their content after each scan', async () => {
    const id = await add('letter', Buffer.from('{\\rtf1\\ansi Dear reader}'));
    await sql`update items set extension = null, file_category = 'other', file_group = 'other' where id = ${id}`.execute(t.deps.db);
    await work();
    expect(await row(id)).toMatchObject({ metadata: {}, body_text: null });
    const changed = await t.request('PATCH', `/libraries/${library}`, { content_sniff_enabled: true });
    expect(changed.json()).toMatchObject({ content_sniff_enabled: true });
    // The files that are already there are queued once, those of later scans like any other.
    const context = { db: t.deps.db, signal: AbortSignal.timeout(60_000), progress: () => {} } as unknown as TaskContext;
    const run = () => sniffLibraryTask.perform({ library_id: library }, context);
    const { rows } = await sql`select 1 from jobs where task = 'sniff_library' and state = 'todo'`.execute(t.deps.db);
    expect(rows).toHaveLength(1);
    await run();
    expect(await countPending(t.deps.db, library)).toBe(1);
    await work();
    expect(await row(id)).toMatchObject({ metadata: { sniffed: { extension: 'rtf' } }, body_text: expect.stringContaining('Dear reader') });
    const category = await sql<{ file_category: string }>`select file_category from items where id = ${id}`.execute(t.deps.db);
    expect(category.rows[0]?.file_category).toBe('document');
    await run();
    expect(await countPending(t.deps.db, library)).toBe(0);
  });
});
