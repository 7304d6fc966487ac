import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WalkBatch, WalkOptions } from '@catalog/scanner';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { checkFolderTotals } from '../counts/index.ts';
import { addLibrary, inline, items, scan, tree } from './library.fixture.ts';
import { settleFolderMoves } from './settle-folder-moves.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const folders = ['a', 'b', 'c', 'a/x', 'a/y', 'b/x', 'b/y', 'c/x', 'd'];
const files = folders.flatMap((folder) => [`${folder}/1.txt`, `${folder}/2.txt`]);
const kinds = [
  'rename',
  'rename',
  'rename',
  'swap',
  'write',
  'write',
  'delete',
  'deleteFolder',
  'renameFile',
  'scan',
  'scan',
  'part',
  'kill',
  'settle',
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  from: fc.constantFrom(...folders),
  to: fc.constantFrom(...folders),
  file: fc.constantFrom(...files),
  toFile: fc.constantFrom(...files),
  depth: fc.constantFrom('tree', 'folder', 'changes'),
  /** How many files a scan stores together. */
  batchSize: fc.integer({ min: 1, max: 4 }),
  /** After how many folders the process dies. */
  batches: fc.nat(5),
});

/** Walks with one folder in each batch, and dies after some of them. */
const walkSingly = (diesAfter: number) =>
  async function* startWalk(options: WalkOptions): AsyncGenerator<WalkBatch> {
    let walked = 0;
    for await (const batch of inline.startWalk!(options)) {
      const names = batch.names === '' ? [] : batch.names.split('\0');
      const fields = names.length === 0 ? 0 : batch.rows.length / names.length;
      let start = 0;
      for (const [index, folder] of batch.folders.entries()) {
        const end = start + folder.entries;
        if (walked++ >= diesAfter) throw new Error('killed');
        const rest = index === 0 ? {} : { pruned: [], unreadable: [] };
        yield {
          ...batch,
          ...rest,
          folders: [folder],
          names: names.slice(start, end).join('\0'),
          rows: batch.rows.slice(start * fields, end * fields),
        };
        start = end;
      }
    }
  };

const filesOnDisk = (root: string, folder = ''): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    return entry.isDirectory() ? filesOnDisk(root, at) : [at];
  });

/** One folder with files; its steps do nothing where the disk does not allow them. */
function createFolder() {
  const root = tree({ 'stay.txt': 'x' });
  const at = (relPath: string): string => path.join(root, relPath);
  const isIn = (inner: string, outer: string): boolean => `${inner}/`.startsWith(`${outer}/`);
  let written = 0;
  return {
    root,
    read: (relPath: string): string => readFileSync(at(relPath), 'utf8'),
    write(relPath: string): void {
      written += 1;
      mkdirSync(path.dirname(at(relPath)), { recursive: true });
      writeFileSync(at(relPath), `${root} ${written} ${'y'.repeat(written % 50)}`);
    },
    rename(from: string, to: string): void {
      if (existsSync(at(from)) && !existsSync(at(to)) && existsSync(path.dirname(at(to))) && !isIn(to, from)) renameSync(at(from), at(to));
    },
    swap(one: string, other: string): void {
      if (!existsSync(at(one)) || !existsSync(at(other)) || isIn(one, other) || isIn(other, one)) return;
      renameSync(at(one), at('between'));
      renameSync(at(other), at(one));
      renameSync(at('between'), at(other));
    },
    remove: (relPath: string): void => rmSync(at(relPath), { recursive: true, force: true }),
  };
}

test('whatever happens to folders between scans, the catalog has every file at its path, with its own bytes, once', async () => {
  const { db } = database;
  /** The bytes by hash: equal bytes have equal hashes, others do not. */
  const bytesOf = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      const folder = createFolder();
      const library = await addLibrary(db, folder.root);
      const verify = async (batchSize: number): Promise<void> => {
        const run = await scan(db, library, { deps: { startWalk: walkSingly(Number.POSITIVE_INFINITY) }, options: { batchSize } });
        expect(run.status).toBe('finished');
        await settleFolderMoves(db);
        const active = Object.values(await items(db, library)).filter(({ status }) => status === 'active');
        expect(active.map(({ rel_path }) => rel_path).sort()).toEqual(filesOnDisk(folder.root).sort());
        for (const { rel_path, size, content_hash } of active) {
          const bytes = folder.read(rel_path);
          const known = bytesOf.get(content_hash ?? '') ?? bytes;
          bytesOf.set(content_hash ?? '', known);
          expect([rel_path, size, known]).toEqual([rel_path, bytes.length, bytes]);
        }
        expect(await checkFolderTotals(db)).toEqual([]);
        expect((await scan(db, library)).stats).toMatchObject({ new: 0, changed: 0, missing: 0, moved: 0, returned: 0 });
      };
      for (const file of ['a/1.txt', 'a/2.txt', 'b/1.txt', 'a/x/1.txt', 'c/2.txt']) folder.write(file);
      await scan(db, library);
      for (const { kind, from, to, file, toFile, depth, batchSize, batches } of steps) {
        if (kind === 'rename') folder.rename(from, to);
        else if (kind === 'swap') folder.swap(from, to);
        else if (kind === 'write') folder.write(file);
        else if (kind === 'delete') folder.remove(file);
        else if (kind === 'deleteFolder') folder.remove(from);
        else if (kind === 'renameFile') folder.rename(file, toFile);
        else if (kind === 'scan') await verify(batchSize);
        else if (kind === 'part') await scan(db, library, { scopes: [{ path: from, depth }], options: { batchSize } });
        else if (kind === 'settle') await settleFolderMoves(db);
        else
          await scan(db, library, { deps: { startWalk: walkSingly(batches) }, options: { batchSize } }).catch((error: Error) =>
            expect(error.message).toBe('killed'),
          );
      }
      await verify(4);
    }),
    { numRuns: 25 },
  );
}, 280_000);
