import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectGarbage, evictLeastRecentlyUsed, leastRecentlyUsed } from './collect.ts';
import { createThumbStore, type ThumbKeyInput, type ThumbStore, thumbKey } from './store.ts';

let folder: string;
let store: ThumbStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-thumbs-'));
  store = createThumbStore({ folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const parts: ThumbKeyInput = {
  contentHash: 'a'.repeat(64),
  renderer: { name: 'image', version: 1 },
  sizes: { gridPx: 320, previewPx: 800 },
};
const keyOf = (n: number): string => thumbKey({ ...parts, contentHash: String(n) });
const pathOf = (key: string, tier: string): string => join(folder, key.slice(0, 2), key.slice(2, 4), `${key}.${tier}.webp`);
const put = (n: number, bytes = 10): Promise<void> =>
  store.write(keyOf(n), { grid: Buffer.alloc(bytes, 1), preview: Buffer.alloc(bytes, 2) });
/** Sets when a thumbnail was last used, in days since the epoch. */
const usedOn = (n: number, day: number): void => {
  for (const tier of ['grid', 'preview']) utimesSync(pathOf(keyOf(n), tier), day * 86_400, day * 86_400);
};
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

describe('the key', () => {
  it('changes with content, renderer, its version and the tier sizes, and with nothing else', () => {
    const keys = [
      thumbKey(parts),
      thumbKey({ ...parts, contentHash: 'b' }),
      thumbKey({ ...parts, renderer: { name: 'svg', version: 1 } }),
      thumbKey({ ...parts, renderer: { name: 'image', version: 2 } }),
      thumbKey({ ...parts, sizes: { gridPx: 321, previewPx: 800 } }),
      thumbKey({ ...parts, sizes: { gridPx: 320, previewPx: 801 } }),
    ];
    expect(new Set(keys).size).toBe(6);
    expect(thumbKey({ ...parts })).toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is refused as part of a path when it is not a key', async () => {
    await expect(store.read('../../etc/passwd', 'grid')).rejects.toThrow(TypeError);
    await expect(store.remove('')).rejects.toThrow(TypeError);
  });
});

describe('files', () => {
  it('lie in two levels of folders and are read back as written', async () => {
    await put(1);
    const key = keyOf(1);
    expect(statSync(pathOf(key, 'grid')).size).toBe(10);
    expect(await store.read(key, 'preview')).toEqual(Buffer.alloc(10, 2));
    expect(await store.has(key)).toBe(true);
  });

  it('answer null when there is none', async () => {
    expect(await store.read(keyOf(9), 'grid')).toBeNull();
    expect(await store.has(keyOf(9))).toBe(false);
    await put(9);
    await store.remove(keyOf(9), 'preview');
    expect(await store.has(keyOf(9))).toBe(false);
  });

  it('are replaced whole: writing again leaves no temporary file', async () => {
    await put(1);
    await put(1, 20);
    const key = keyOf(1);
    expect(readdirSync(join(folder, key.slice(0, 2), key.slice(2, 4))).sort()).toEqual([`${key}.grid.webp`, `${key}.preview.webp`]);
    expect(readFileSync(pathOf(key, 'grid')).length).toBe(20);
  });

  it('leave nothing behind when the disk refuses', async () => {
    const key = keyOf(1);
    await store.write(key, { grid: Buffer.alloc(1), preview: Buffer.alloc(1) });
    rmSync(pathOf(key, 'grid'));
    // A folder with the name of the file makes the rename fail.
    rmSync(pathOf(key, 'preview'));
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(pathOf(key, 'grid'), 'x'), { recursive: true });
    await expect(store.write(key, { grid: Buffer.alloc(1), preview: Buffer.alloc(1) })).rejects.toThrow();
    expect(readdirSync(join(folder, key.slice(0, 2), key.slice(2, 4)))).toEqual([`${key}.grid.webp`]);
  });

  it('are walked and added up, strangers passed over', async () => {
    for (let i = 0; i < 20; i++) await put(i);
    writeFileSync(join(folder, 'README'), 'x');
    writeFileSync(join(folder, keyOf(1).slice(0, 2), 'note.txt'), 'x');
    expect(await store.totals()).toEqual({ files: 40, bytes: 400 });
    const keys = (await all(store.walk())).map((file) => file.key);
    expect([...keys].sort()).toEqual(keys);
  });

  it('make an empty store of a folder that is not there', async () => {
    const empty = createThumbStore({ folder: join(folder, 'none') });
    expect(await empty.totals()).toEqual({ files: 0, bytes: 0 });
  });

  it('are touched at most once a day', async () => {
    await put(1);
    usedOn(1, 100);
    const path = pathOf(keyOf(1), 'grid');
    const late = createThumbStore({ folder, now: () => 100.5 * 86_400_000 });
    await late.touch(keyOf(1), 'grid');
    expect(statSync(path).atimeMs).toBe(100 * 86_400_000);
    const later = createThumbStore({ folder, now: () => 102 * 86_400_000 });
    await later.touch(keyOf(1), 'grid');
    expect(statSync(path).atimeMs).toBe(102 * 86_400_000);
    expect(statSync(path).mtimeMs).toBe(100 * 86_400_000);
  });

  it('lose leftovers of a crash once they are old', async () => {
    await put(1);
    const left = join(folder, keyOf(1).slice(0, 2), keyOf(1).slice(2, 4), '.writing-abc');
    writeFileSync(left, 'half');
    expect(await store.removeTemporaryFiles(3_600_000)).toBe(0);
    utimesSync(left, 1000, 1000);
    expect(await store.removeTemporaryFiles(3_600_000)).toBe(1);
    expect(await store.totals()).toMatchObject({ files: 2 });
  });
});

describe('garbage collection', () => {
  it('removes what no item needs and keeps what is young', async () => {
    for (let i = 0; i < 6; i++) {
      await put(i);
      usedOn(i, 100);
    }
    usedOn(5, 200);
    const asked: string[][] = [];
    const live = new Set([keyOf(0), keyOf(1)]);
    const removed = await collectGarbage(
      store,
      async (keys) => {
        asked.push(keys);
        return live;
      },
      { graceMs: 86_400_000, now: () => 200.5 * 86_400_000, batch: 4 },
    );
    expect(removed).toEqual({ files: 6, bytes: 60 });
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set((await all(store.walk())).map((file) => file.key))).toEqual(new Set([keyOf(0), keyOf(1), keyOf(5)]));
  });
});

describe('emergency eviction', () => {
  it('removes the least recently used first and stops when enough is freed', async () => {
    for (let i = 0; i < 10; i++) {
      await put(i, 100);
      usedOn(i, 100 + i);
    }
    const removed = await evictLeastRecentlyUsed(store, 500);
    expect(removed).toEqual({ files: 5, bytes: 500 });
    const left = new Set((await all(store.walk())).map((file) => file.key));
    for (let i = 0; i < 2; i++) expect(left.has(keyOf(i))).toBe(false);
    for (let i = 3; i < 10; i++) expect(left.has(keyOf(i))).toBe(true);
  });

  it('gives days in order and never more than needed', async () => {
    for (const [n, day] of [
      [1, 300],
      [2, 100],
      [3, 200],
    ] as const) {
      await put(n, 50);
      usedOn(n, day);
    }
    const order = (await all(leastRecentlyUsed(store, 150))).map((file) => file.key);
    expect(order.slice(0, 3)).toEqual([keyOf(2), keyOf(2), keyOf(3)]);
    expect(order).toHaveLength(3);
    expect(await all(leastRecentlyUsed(store, 1e9))).toHaveLength(6);
  });

  it('removes nothing when nothing is asked', async () => {
    await put(1);
    expect(await evictLeastRecentlyUsed(store, 0)).toEqual({ files: 0, bytes: 0 });
  });
});
