import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, type ShownItem, scan, tree } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

/** The model of a file: its bytes, and its path at the last scan if neither file nor bytes have changed since. */
interface File {
  bytes: string;
  from: string | null;
}

const places = ['a/1.txt', 'a/2.txt', 'a/3.jpg', 'b/1.txt', 'b/c/1.txt', 'b/c/2.mp3'].flatMap((name) => [`left/${name}`, `right/${name}`]);
const action = fc.record({
  what: fc.constantFrom('create', 'edit', 'move', 'copy', 'swap', 'delete'),
  a: fc.nat({ max: places.length - 1 }),
  b: fc.nat({ max: places.length - 1 }),
});
const story = fc.array(fc.array(action, { minLength: 1, maxLength: 7 }), { minLength: 2, maxLength: 4 });
let serial = 0;

/** Applies an action to the disk and the model if possible. Moves go only from left to right, because left is scanned first. */
function act(root: string, model: Map<string, File>, { what, a, b }: { what: string; a: number; b: number }): void {
  const [from, to] = [places[a]!, places[b]!];
  const at = (place: string): string => path.join(root, place);
  const [source, target] = [model.get(from), model.get(to)];
  serial += 1;
  if (what === 'create' && !source) {
    writeFileSync(at(from), `bytes ${serial}`);
    model.set(from, { bytes: `bytes ${serial}`, from: null });
  } else if (what === 'edit' && source) {
    writeFileSync(at(from), `edited ${serial}`);
    model.set(from, { bytes: `edited ${serial}`, from: null });
  } else if (what === 'move' && source && from !== to && !(from.startsWith('right') && to.startsWith('left'))) {
    renameSync(at(from), at(to));
    model.delete(from);
    model.set(to, source);
  } else if (what === 'copy' && source && from !== to) {
    // A copy that replaces a file is a new file under an old name, not an edit.
    rmSync(at(to), { force: true });
    copyFileSync(at(from), at(to));
    model.set(to, { bytes: source.bytes, from: null });
  } else if (what === 'swap' && source && target && from.split('/')[0] === to.split('/')[0] && from !== to) {
    renameSync(at(from), at('swap'));
    renameSync(at(to), at(from));
    renameSync(at('swap'), at(to));
    model.set(from, target);
    model.set(to, source);
  } else if (what === 'delete' && source) {
    rmSync(at(from));
    model.delete(from);
  }
}

/**
 * The new copies that the scan of left must take for a file that left for right: it finds the same bytes under a new name, and right is
 * scanned later. Tags and notes stay with the bytes either way.
 */
function newCopiesOnLeft(model: Map<string, File>, place: string, { bytes, from }: File): string[] {
  if (!from?.startsWith('left') || !place.startsWith('right')) return [];
  return [...model].filter(([at, copy]) => at.startsWith('left') && copy.from === null && copy.bytes === bytes).map(([at]) => at);
}

test('random rename, move, copy, edit and swap sequences keep identity and overlay exactly', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(story, async (rounds) => {
      const root = tree();
      for (const place of places) mkdirSync(path.dirname(path.join(root, place)), { recursive: true });
      const libraries = { left: await addLibrary(db, path.join(root, 'left')), right: await addLibrary(db, path.join(root, 'right')) };
      const read = async (): Promise<Map<string, ShownItem>> => {
        const all = new Map<string, ShownItem>();
        for (const side of ['left', 'right'] as const)
          for (const item of Object.values(await items(db, libraries[side]))) all.set(`${side}/${item.rel_path}`, item);
        return all;
      };
      const model = new Map<string, File>();
      const overlays = new Map<string, string>();
      let before = new Map<string, ShownItem>();
      for (const round of rounds) {
        for (const step of round) act(root, model, step);
        for (const side of ['left', 'right'] as const)
          expect((await scan(db, libraries[side], { options: { emptyGuard: false } })).status).toBe('finished');
        const after = await read();
        const live = [...after].filter(([, { status }]) => status === 'active');
        expect(live.map(([place]) => place).sort()).toEqual([...model.keys()].sort());
        expect(new Set([...after.values()].map(({ id }) => id)).size).toBe(after.size);
        for (const [place, file] of model) {
          const { id } = after.get(place)!;
          const old = before.get(place);
          if (old) expect(id, `${place} keeps the identity of its path`).toBe(old.id);
          else if (file.from !== null && !model.has(file.from)) {
            const heirs = [id, ...newCopiesOnLeft(model, place, file).map((copy) => after.get(copy)!.id)];
            expect(heirs, `${place} came from ${file.from}`).toContain(before.get(file.from)!.id);
          } else {
            // Either new, or the continuation of a missing item with the same bytes; never of an item still in place.
            const heirOf = [...before].find(([, item]) => item.id === id);
            if (heirOf) expect(model.has(heirOf[0])).toBe(false);
          }
        }
        // No overlay is lost or changed, whether the file exists or not.
        const { rows } = await sql<{
          id: string;
          tags: string[];
        }>`select id, tags from items where library_id in (${libraries.left}, ${libraries.right})`.execute(db);
        const stored = new Map(rows.map(({ id, tags }) => [id, tags.join()]));
        for (const [id, words] of overlays) expect(stored.get(id)).toBe(words);
        for (const [, item] of live) {
          overlays.set(item.id, `tag of ${item.id}`);
          await sql`update items set tags = ${[`tag of ${item.id}`]} where id = ${item.id}`.execute(db);
        }
        before = await read();
        for (const [place, file] of model) model.set(place, { ...file, from: place });
      }
    }),
    { numRuns: Number(process.env['CATALOG_LONG_TESTS'] ? 400 : 25) },
  );
}, 300_000);
