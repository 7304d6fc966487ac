import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFileHasher, type HashFileSystem, type HashRequest, systemHashFileSystem } from './hash-file.ts';
import { createHasher } from './hasher.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'hash-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reproducible bytes from a linear congruential generator. */
function bytes(length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let state = 42;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    buffer[at] = state >>> 24;
  }
  return buffer;
}

function request(name: string, content: Buffer, needsContent = true): HashRequest {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  const stats = statSync(file, { bigint: true });
  return { path: file, size: Number(stats.size), mtimeNs: String(stats.mtimeNs), content: needsContent };
}

/** These vectors define scheme h1; a different result requires a new scheme name. */
const vectors: [length: number, quick: string, content: string][] = [
  [0, 'c77b3abb6f87acd9', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [1, '10ac00851753aacb', '13598656f10fa962b75f6c4587a61a067c14c1ef7dc9ca3703da76bae4c1beb1'],
  [65_536, 'c03a25f62c4ed3ef', '704fc39540fb96c5869b34b962954e1665b1ec5224e0e59d6074cf54c25b0558'],
  [196_608, '2f6d8621fc40e1d0', 'af7ce3b5498c497be70d6bff02dea5ffe0537eb35dd448287dbc4bc0db1ea232'],
  [196_609, '169d6b2a1226887f', 'd02533a0afd75e8548a09d1a3695fb4fcfbc4915a17c6eb315254230cd4c6ab5'],
  [3_000_001, '8a9ca350059a01a8', '99daff311f3a375f61767761717d8769adb5073ca034789ba88ebb8bc4faba58'],
];

test.each(vectors)('scheme h1 yields the known hashes for %i bytes', (length, quick, content) => {
  expect(createFileHasher()(request(`v${length}`, bytes(length)))).toEqual({ quick, content });
});

test('the quick hash of a large file covers only its size, head, middle and tail', () => {
  const hashFile = createFileHasher();
  const original = bytes(1_000_000);
  const base = hashFile(request('a', original, false));
  const hashAfterFlipping = (at: number): unknown => {
    const copy = Buffer.from(original);
    copy[at]! ^= 0xff;
    return hashFile(request('b', copy, false));
  };
  expect(hashAfterFlipping(0)).not.toEqual(base);
  expect(hashAfterFlipping(500_000)).not.toEqual(base);
  expect(hashAfterFlipping(999_999)).not.toEqual(base);
  expect(hashAfterFlipping(200_000)).toEqual(base);
  expect(hashFile(request('b', original.subarray(0, 999_999), false))).not.toEqual(base);
});

test('a file that changed since the walk gets no hash', () => {
  const hashFile = createFileHasher();
  const requested = request('grown', bytes(100));
  appendFileSync(requested.path, 'more');
  expect(hashFile(requested)).toEqual({ error: 'changed' });
  expect(hashFile({ ...requested, path: path.join(folder, 'nowhere') })).toEqual({ error: 'ENOENT' });
  symlinkSync('grown', path.join(folder, 'link'));
  expect(hashFile({ ...requested, path: path.join(folder, 'link') })).toEqual({ error: 'ELOOP' });
});

test('a file that grows or shrinks while it is hashed gets no hash', () => {
  for (const change of [(file: string) => appendFileSync(file, 'x'), (file: string) => truncateSync(file, 300_000)]) {
    const requested = request('moving', bytes(2_500_000));
    let reads = 0;
    const files: HashFileSystem = {
      ...systemHashFileSystem,
      read(...args) {
        reads += 1;
        if (reads === 5) change(requested.path);
        return systemHashFileSystem.read(...args);
      },
    };
    expect(createFileHasher(files)(requested)).toEqual({ error: 'changed' });
  }
});

test('a disk error while reading is returned as a result, and the file is closed', () => {
  let open = 0;
  const files: HashFileSystem = {
    ...systemHashFileSystem,
    open: (file) => {
      open += 1;
      return systemHashFileSystem.open(file);
    },
    close: (file) => {
      open -= 1;
      systemHashFileSystem.close(file);
    },
    read: () => {
      throw Object.assign(new Error('input/output error'), { code: 'EIO' });
    },
  };
  expect(createFileHasher(files)(request('bad', bytes(10)))).toEqual({ error: 'EIO' });
  expect(open).toBe(0);
});

test('threads return the results of the inline hasher, in order', async () => {
  const hasher = createHasher({ threads: 2 });
  const requests = Array.from({ length: 40 }, (_, index) => request(`t${index}`, bytes(index * 7919)));
  const results = await Promise.all([hasher.hash(requests.slice(0, 25)), hasher.hash(requests.slice(25))]);
  await hasher.close();
  expect(results.flat()).toEqual(requests.map(createFileHasher()));
  expect(results.flat().map((result) => 'content' in result && result.content)).toEqual(
    requests.map(({ size }) => createHash('sha256').update(bytes(size)).digest('hex')),
  );
});
