import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createIndex, listShadows, openReader, openWriter, removeShadow, shadowPath, swapIndex } from '../src/index.ts';
import type { Document } from '../src/types.ts';
import { inDirectory, smallSchema, withIndex } from './temporary-index.ts';

const documents = (from: number, to: number): Document[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: `d${from + index}`, name: `report ${from + index}`, kind: 'a', size: index }));

async function built(directory: string): Promise<void> {
  await createIndex(directory, smallSchema);
  const writer = await openWriter(directory, smallSchema);
  await writer.upsert(documents(0, 50));
  await writer.commit();
  await writer.delete(['d7', 'd8']);
  await writer.commit();
  await writer.close();
}

const fileOf = async (directory: string, end: string) => join(directory, (await readdir(directory)).find((name) => name.endsWith(end))!);

describe('a damaged file is reported, never read', () => {
  test('a changed byte anywhere in a segment is detected', async () => {
    await inDirectory(async (directory) => {
      await built(directory);
      const path = await fileOf(directory, '.seg');
      const whole = await readFile(path);
      let refused = 0;
      const places = Array.from({ length: 24 }, (_, index) => Math.floor((index * whole.length) / 24));
      for (const place of places) {
        const damaged = Buffer.from(whole);
        damaged[place]! ^= 0x10;
        await writeFile(path, damaged);
        const outcome = await openReader(directory).catch((error: { code: string }) => error.code);
        if (typeof outcome === 'string') {
          expect(['corrupt', 'newer_format', 'foreign_format']).toContain(outcome);
          refused++;
          continue;
        }
        // Only padding between sections may change unnoticed, and then the results must be unaffected.
        expect((await outcome.search({ text: 'report', limit: 100 })).hits).toHaveLength(48);
        await outcome.close();
      }
      expect(refused).toBeGreaterThan(12);
    });
  });

  test('damage in a large part that stays on disk is found after opening, and from then on every call fails', async () => {
    await inDirectory(async (directory) => {
      await createIndex(directory, smallSchema);
      const writer = await openWriter(directory, smallSchema);
      const long = 'x'.repeat(110);
      await writer.upsert(documents(0, 40_000).map((each) => ({ ...each, id: `${each['id']}${long}` })));
      await writer.commit();
      await writer.close();
      const path = await fileOf(directory, '.seg');
      const damaged = await readFile(path);
      damaged[damaged.indexOf(long)]! ^= 0x10;
      await writeFile(path, damaged);
      const reader = await openReader(directory);
      await expect(reader.refresh()).rejects.toMatchObject({ code: 'corrupt' });
      await expect(reader.search({ text: 'report' })).rejects.toMatchObject({ code: 'corrupt' });
      await expect(reader.suggest('rep')).rejects.toMatchObject({ code: 'corrupt' });
      await reader.close();
      await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code: 'corrupt' });
    });
  });

  test('a segment that is truncated or longer by a byte is corrupt', async () => {
    await inDirectory(async (directory) => {
      await built(directory);
      const path = await fileOf(directory, '.seg');
      const whole = await readFile(path);
      const lengths = Array.from({ length: 8 }, (_, index) => Math.floor(((index + 0.5) * whole.length) / 8));
      for (const bytes of [...lengths, whole.length - 1]
        .map((length) => whole.subarray(0, length))
        .concat(Buffer.concat([whole, Buffer.alloc(1)]))) {
        await writeFile(path, bytes);
        await expect(openReader(directory)).rejects.toMatchObject({ code: 'corrupt' });
      }
    });
  });

  const damages: [string, (directory: string) => Promise<void>][] = [
    ['a truncated segment', async (directory) => truncate(await fileOf(directory, '.seg'), 500)],
    ['an empty segment', async (directory) => truncate(await fileOf(directory, '.seg'), 0)],
    ['a missing segment', async (directory) => unlink(await fileOf(directory, '.seg'))],
    ['a missing delete list', async (directory) => unlink(await fileOf(directory, '.del'))],
    ['a truncated delete list', async (directory) => truncate(await fileOf(directory, '.del'), 18)],
    ['a truncated manifest', async (directory) => truncate(join(directory, 'manifest.json'), 100)],
    ['an empty manifest', async (directory) => truncate(join(directory, 'manifest.json'), 0)],
    [
      'a changed manifest',
      async (directory) => {
        const path = join(directory, 'manifest.json');
        await writeFile(path, (await readFile(path, 'utf8')).replace('"documents":50', '"documents":51'));
      },
    ],
  ];
  test.each(damages)('%s', async (_, damage) => {
    await inDirectory(async (directory) => {
      await built(directory);
      await damage(directory);
      await expect(openReader(directory)).rejects.toMatchObject({ code: 'corrupt' });
      await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code: 'corrupt' });
    });
  });
});

// The address 0 of a process is never readable, so the system answers like a disk with a bad block.
test.runIf(process.platform === 'linux')('a manifest that the disk cannot read is damage', async () => {
  await inDirectory(async (directory) => {
    await built(directory);
    await rm(join(directory, 'manifest.json'));
    await symlink('/proc/self/mem', join(directory, 'manifest.json'));
    await expect(openReader(directory)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code: 'corrupt' });
  });
});

test.runIf(process.platform === 'linux')('a delete list that the disk cannot read is damage', async () => {
  await inDirectory(async (directory) => {
    await built(directory);
    const path = await fileOf(directory, '.del');
    await rm(path);
    await symlink('/proc/self/mem', path);
    await expect(openReader(directory)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code: 'corrupt' });
  });
});

test('a newer format and a foreign directory are refused', async () => {
  await inDirectory(async (directory) => {
    await built(directory);
    const path = join(directory, 'manifest.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"format":1', '"format":2'));
    await expect(openReader(directory)).rejects.toMatchObject({ code: 'newer_format' });
    await writeFile(path, text.replace('catalog-index', 'something-else'));
    await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code: 'foreign_format' });
    const foreign = `${directory}-foreign`;
    await mkdir(foreign);
    await writeFile(join(foreign, 'letter.txt'), 'hello');
    await expect(createIndex(foreign, smallSchema)).rejects.toMatchObject({ code: 'foreign_format' });
  });
});

test.each([
  ['newer', 1, 'newer_format'],
  ['older', -1, 'foreign_format'],
])('a segment of a %s version is refused by reader and writer', async (_, step, code) => {
  await inDirectory(async (directory) => {
    await built(directory);
    const path = await fileOf(directory, '.seg');
    const bytes = await readFile(path);
    bytes.writeUInt32LE(bytes.readUInt32LE(8) + step, 8);
    await writeFile(path, bytes);
    await expect(openReader(directory)).rejects.toMatchObject({ code });
    await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code });
  });
});

test('only one writer can open the index, and uncommitted changes are lost on close', async () => {
  await withIndex(smallSchema, documents(0, 5), async ({ directory, writer, reader }) => {
    await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code: 'locked' });
    await writer.upsert(documents(5, 9));
    await reader.refresh();
    expect((await reader.search({})).total).toBe(5);
    await writer.close();
    const next = await openWriter(directory, smallSchema);
    expect((await next.stats()).documents).toBe(5);
    await next.close();
  });
});

test('a reader follows commits automatically and keeps serving queries', async () => {
  await withIndex(smallSchema, documents(0, 5), async ({ writer, reader }) => {
    await writer.upsert(documents(5, 9));
    await writer.commit();
    await expect.poll(async () => (await reader.search({})).total, { timeout: 20_000 }).toBe(9);
  });
});

test.runIf(process.platform === 'linux')('a reader notices a commit that happens while it opens', async () => {
  await inDirectory(async (directory) => {
    await createIndex(directory, smallSchema);
    const writer = await openWriter(directory, smallSchema);
    await writer.upsert(documents(0, 5));
    await writer.commit();
    const path = join(directory, 'manifest.json');
    const old = await readFile(path, 'utf8');
    await writer.upsert(documents(5, 9));
    await writer.commit();
    await writer.close();
    await rename(path, `${path}.new`);
    // The reader waits for the contents of the pipe, and the newer manifest takes its place meanwhile.
    execFileSync('mkfifo', [path]);
    const opening = openReader(directory);
    const pipe = await open(path, 'w');
    await rename(`${path}.new`, path);
    await pipe.writeFile(old);
    await pipe.close();
    const reader = await opening;
    await expect.poll(async () => (await reader.search({})).total, { timeout: 20_000 }).toBe(9);
    await reader.close();
  });
});

test('a failed commit keeps the old state, and the next one includes all changes', async () => {
  await withIndex(smallSchema, documents(0, 5), async ({ directory, writer, reader }) => {
    await writer.upsert(documents(3, 9));
    // A directory in place of the temporary manifest file makes the last step of the commit fail.
    const obstacle = join(directory, 'manifest.json.tmp');
    await mkdir(join(obstacle, 'x'), { recursive: true });
    await expect(writer.commit()).rejects.toThrow();
    await reader.refresh();
    expect((await reader.search({})).total).toBe(5);
    await rm(obstacle, { recursive: true });
    await writer.commit();
    await reader.refresh();
    expect((await reader.search({})).total).toBe(9);
  });
});

test('a failed segment write keeps the old state, and no document of the batch is lost', async () => {
  await withIndex(smallSchema, documents(0, 5), async ({ directory, writer, reader }) => {
    await writer.upsert(documents(3, 9));
    await writer.delete(['d0']);
    await rename(directory, `${directory}-away`);
    await expect(writer.commit()).rejects.toThrow();
    await rename(`${directory}-away`, directory);
    await reader.refresh();
    expect((await reader.search({ limit: 100 })).hits).toHaveLength(5);
    await writer.upsert(documents(20, 22));
    await writer.commit();
    await reader.refresh();
    expect((await reader.search({ limit: 100 })).hits.map(({ id }) => id)).toEqual([
      'd1',
      'd2',
      'd20',
      'd21',
      'd3',
      'd4',
      'd5',
      'd6',
      'd7',
      'd8',
    ]);
  });
});

test('many small commits are merged into few segments in the background', async () => {
  await withIndex(smallSchema, [], async ({ writer, reader }) => {
    for (let batch = 0; batch < 30; batch++) {
      await writer.upsert(documents(batch * 7, batch * 7 + 10));
      await writer.commit();
    }
    await expect.poll(async () => (await writer.stats()).segments, { timeout: 30_000 }).toBeLessThan(10);
    await reader.refresh();
    expect((await reader.search({ limit: 1000 })).total).toBe(213);
  });
});

test('damage that a background merge finds fails the commits after it', async () => {
  await withIndex(smallSchema, [], async ({ directory, writer }) => {
    for (let batch = 0; batch < 5; batch++) {
      if (batch === 4) {
        const path = await fileOf(directory, '.seg');
        const { length } = await readFile(path);
        await writeFile(path, Buffer.alloc(length, 0xff));
      }
      await writer.upsert(documents(batch * 10, batch * 10 + 10));
      await writer.commit();
    }
    const outcome = () => writer.commit().then(String, (error: { code: string }) => error.code);
    await expect.poll(outcome, { timeout: 20_000 }).toBe('corrupt');
  });
});

describe('shadows', () => {
  test('a shadow is swapped in atomically, readers follow, and it is listed until then', async () => {
    await withIndex(smallSchema, documents(0, 5), async ({ directory, writer, reader }) => {
      const shadow = shadowPath(directory);
      const other = { ...smallSchema, version: 2 };
      await createIndex(shadow, other);
      const builder = await openWriter(shadow, other);
      await builder.upsert(documents(100, 130));
      await builder.commit();
      expect((await listShadows(directory)).map(({ path }) => path)).toEqual([shadow]);
      await expect(swapIndex(directory, shadow)).rejects.toMatchObject({ code: 'locked' });
      await builder.close();
      await expect(swapIndex(directory, shadow)).rejects.toMatchObject({ code: 'locked' });
      await writer.close();
      await swapIndex(directory, shadow);
      await reader.refresh();
      expect((await reader.search({})).total).toBe(30);
      expect(await listShadows(directory)).toEqual([]);
      const next = await openWriter(directory, other);
      expect((await next.stats()).documents).toBe(30);
      await next.close();
    });
  });

  test('an abandoned shadow is listed with its age and can be removed; other directories cannot', async () => {
    await withIndex(smallSchema, documents(0, 5), async ({ directory }) => {
      const shadow = shadowPath(directory);
      await createIndex(shadow, smallSchema);
      const [found] = await listShadows(directory);
      expect(found!.ageMs).toBeGreaterThanOrEqual(0);
      await removeShadow(found!.path);
      expect(await listShadows(directory)).toEqual([]);
      await expect(removeShadow(directory)).rejects.toMatchObject({ code: 'no_index' });
    });
  });
});

test('leftovers of a crash are removed by the next writer', async () => {
  await inDirectory(async (directory) => {
    await built(directory);
    await copyFile(await fileOf(directory, '.seg'), join(directory, 's-9-0123456789ab.seg'));
    await writeFile(join(directory, 's-9-0123456789cd.seg.tmp'), 'half');
    const writer = await openWriter(directory, smallSchema);
    expect((await readdir(directory)).filter((name) => name.startsWith('s-9-'))).toEqual([]);
    expect((await writer.stats()).documents).toBe(48);
    await writer.close();
  });
});
