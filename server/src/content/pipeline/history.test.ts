import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSandboxPool, type SandboxPool, thumbTaskModule } from '@catalog/readers';
import { strToU8, zipSync } from 'fflate';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createThumbStore } from '../thumbs/index.ts';
import { processItem } from './process-item.ts';
import { retryExtracts } from './queue.ts';
import { addPending, claimPending } from './store.ts';

const document = (words: string) =>
  zipSync({
    'word/document.xml': strToU8(`<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:body></w:document>`),
    '[Content_Types].xml': strToU8('<Types/>'),
  });

describe('history of extractions', () => {
  let t: TestApp;
  let root: string;
  let library: string;
  let folder: number;
  let pool: SandboxPool;

  beforeAll(async () => {
    t = await createTestApp();
    root = mkdtempSync(path.join(os.tmpdir(), 'catalog-history-'));
    mkdirSync(path.join(root, 'in'));
    const { rows: libraries } = await sql<{
      id: string;
    }>`insert into libraries (name, root_path) values ('In', ${root}) returning id`.execute(t.deps.db);
    library = libraries[0]!.id;
    const { rows: folders } = await sql<{
      id: number;
    }>`insert into folders (library_id, rel_path, path) values (${library}, 'in', 'in') returning id`.execute(t.deps.db);
    folder = folders[0]!.id;
    pool = createSandboxPool({ size: 1, background: false, tasks: { thumb: thumbTaskModule } });
  });
  afterAll(async () => {
    pool.close();
    await t.close();
    rmSync(root, { recursive: true, force: true });
  });

  const write = (name: string, bytes: Buffer | Uint8Array) => writeFileSync(path.join(root, 'in', name), bytes);
  const add = async (name: string, bytes: Buffer | Uint8Array, hash: string): Promise<string> => {
    write(name, bytes);
    const { mtimeNs } = statSync(path.join(root, 'in', name), { bigint: true });
    const { rows } = await sql<{
      id: string;
    }>`insert into items (library_id, folder_id, filename, extension, size, mtime_ns, content_hash, quick_hash)
      values (${library}, ${folder}, ${name}, ${name.split('.').at(-1)!}, ${bytes.length}, ${String(mtimeNs)}, ${hash}, ${hash.slice(0, 16)}) returning id`.execute(
      t.deps.db,
    );
    return rows[0]!.id;
  };
  const work = async (): Promise<void> => {
    const thumbs = createThumbStore({ folder: path.join(t.configDir, 'thumbs') });
    const parts = { db: t.deps.db, settings: t.deps.settings, pool, thumbs, mayWriteThumbs: async () => true };
    for (const item of await claimPending(t.deps.db, '01a1dd25-f4f0-73a1-bb93-7c6aea54485d', library, 100))
      await processItem(parts, item, new AbortController().signal);
  };
  const read = async (id: string, forced = false): Promise<void> => {
    await addPending(t.deps.db, library, [id], forced);
    await work();
  };
  const facts = async (id: string) =>
    (await sql<{ metadata: Record<string, unknown> }>`select metadata from items where id = ${id}`.execute(t.deps.db)).rows[0]!.metadata;
  const history = async (id: string) =>
    (await t.request('GET', `/items/${id}/history`)).json().items as { before: object; after: object }[];

  test('a retry that fails in the same way leaves no entry; one with another outcome leaves one', async () => {
    const id = await add('again.docx', Buffer.from('PK\u0003\u0004 this is no document'), '9'.repeat(64));
    const retry = async () => {
      expect(await retryExtracts(t.deps.db, library)).toBe(1);
      expect(await facts(id)).toEqual({});
      await work();
    };
    await read(id);
    const failed = await facts(id);
    await retry();
    await retry();
    expect(await facts(id)).toEqual(failed);
    expect(await history(id)).toEqual([]);

    write('again.docx', Buffer.alloc(0));
    await retry();
    const empty = await facts(id);
    expect(empty).not.toEqual(failed);
    expect(await history(id)).toMatchObject([{ before: { metadata: failed }, after: { metadata: empty } }]);

    write('again.docx', document('Repaired'));
    await retry();
    expect(await history(id)).toMatchObject([{ before: { metadata: empty } }, {}]);
    expect(await retryExtracts(t.deps.db, library)).toBe(0);
  });

  test('reading a file again that was a symlink in between leaves an entry', async () => {
    const id = await add('link.docx', document('Linked'), '7'.repeat(64));
    await read(id);
    const known = await facts(id);
    await sql`with lost as (update items set metadata = '{}', extracted_key = null where id = ${id} returning id, old.metadata)
      insert into item_history (item_id, source, before, after)
      select id, 'extractor', jsonb_build_object('metadata', metadata), '{"metadata": {}}' from lost`.execute(t.deps.db);
    await read(id);
    expect(await history(id)).toMatchObject([{ before: { metadata: {} }, after: { metadata: known } }, {}]);
  });

  test('reading an unchanged file again leaves no entry', async () => {
    const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: 'navy' } })
      .jpeg()
      .toBuffer();
    const id = await add('same.jpg', picture, '8'.repeat(64));
    await read(id);
    expect(Object.keys(await facts(id)).length).toBeGreaterThan(3);
    await read(id, true);
    expect(await history(id)).toEqual([]);
  });
});
