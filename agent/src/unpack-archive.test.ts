import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { unpackArchive, unpackPrivately } from './unpack-archive.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-unpack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function archive(id: string, contents: Record<string, string>): Buffer {
  const packed = Object.values(contents).map((text) => zstdCompressSync(Buffer.from(text)));
  const files = Object.keys(contents).map((name, at) => ({ path: name, mode: name === 'tool' ? 0o755 : 0o644, size: packed[at]?.length }));
  const list = Buffer.from(JSON.stringify({ id, files }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  return Buffer.concat([length, list, ...packed]);
}

test('an archive is unpacked once, readable by everybody, and replaces the one before', async () => {
  const umask = process.umask(0o077);
  try {
    const first = await unpackArchive(archive('one', { 'src/a.txt': 'A', tool: '#!' }), folder, 'readers-');
    expect(readFileSync(path.join(first, 'src/a.txt'), 'utf8')).toBe('A');
    const modes = ['.', 'src', 'src/a.txt', 'tool'].map((name) => statSync(path.join(first, name)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o755, 0o644, 0o755]);
    writeFileSync(path.join(first, 'mark'), '');
    expect(await unpackArchive(archive('one', { 'src/a.txt': 'A', tool: '#!' }), folder, 'readers-')).toBe(first);
    expect(existsSync(path.join(first, 'mark'))).toBe(true);
    writeFileSync(path.join(folder, 'agent.json'), '{}');
    const second = await unpackArchive(archive('two', { 'src/a.txt': 'B' }), folder, 'readers-');
    expect(readFileSync(path.join(second, 'src/a.txt'), 'utf8')).toBe('B');
    expect(readdirSync(folder).sort()).toEqual(['agent.json', 'readers-two']);
  } finally {
    process.umask(umask);
  }
});

test('one that was left half done is never used', async () => {
  const whole = archive('three', { 'a.txt': 'A', 'b.txt': 'B'.repeat(1000) });
  await expect(unpackArchive(whole.subarray(0, whole.length - 5), folder, 'readers-')).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(['agent.json', 'readers-two']);
  // Left behind by a killed program.
  mkdirSync(path.join(folder, 'readers-partial-abc'));
  const done = await unpackArchive(whole, folder, 'readers-');
  expect(readFileSync(path.join(done, 'b.txt'), 'utf8')).toHaveLength(1000);
  expect(readdirSync(folder).sort()).toEqual(['agent.json', 'readers-three']);
});

/** An archive whose id is the digest of its files, as the build of the executable writes it. */
function digested(contents: Record<string, string>): Buffer {
  const digest = createHash('sha256');
  for (const [name, text] of Object.entries(contents)) digest.update(`${name}\0${0o644}\0${text.length}\0${text}`);
  return archive(digest.digest('hex').slice(0, 16), contents);
}

test('native code is unpacked for this user only, used again while it is intact, and otherwise unpacked again', async () => {
  const parent = mkdtempSync(path.join(folder, 'private-'));
  const native = digested({ 'lib/a.node': 'A', 'b.js': 'B' });
  const done = await unpackPrivately(native, parent, 'koffi-');
  const modes = ['.', 'lib'].map((name) => statSync(path.join(done, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700]);
  const { ino } = statSync(done);
  expect(await unpackPrivately(native, parent, 'koffi-')).toBe(done);
  expect(statSync(done).ino).toBe(ino);
  const [file, elsewhere] = [path.join(done, 'lib/a.node'), path.join(parent, 'elsewhere')];
  const spoilers = {
    changed: () => writeFileSync(file, 'X'),
    missing: () => rmSync(file),
    'open to others': () => chmodSync(done, 0o755),
    'a link': () => {
      rmSync(elsewhere, { recursive: true, force: true });
      mkdirSync(elsewhere);
      rmSync(done, { recursive: true });
      symlinkSync(elsewhere, done);
    },
  };
  for (const [what, spoil] of Object.entries(spoilers)) {
    spoil();
    await unpackPrivately(native, parent, 'koffi-');
    expect(lstatSync(done).isDirectory(), what).toBe(true);
    expect([readFileSync(file, 'utf8'), statSync(done).mode & 0o777], what).toEqual(['A', 0o700]);
  }
  const damaged = Buffer.from(native);
  damaged.write('f'.repeat(16), damaged.indexOf('"id":"') + 6);
  await expect(unpackPrivately(damaged, parent, 'koffi-')).rejects.toThrow('damaged');
});

test('native code is never unpacked where another user could replace it', async () => {
  const above = mkdtempSync(path.join(folder, 'shared-'));
  const parent = path.join(above, 'data');
  mkdirSync(parent, { mode: 0o700 });
  const native = digested({ 'a.node': 'A' });
  for (const open of [parent, above]) {
    chmodSync(open, 0o770);
    await expect(unpackPrivately(native, parent, 'koffi-')).rejects.toThrow(`Other users can write to ${open}.`);
    chmodSync(open, 0o700);
  }
  expect(readdirSync(parent)).toEqual([]);
  // Others cannot replace what is in a sticky folder, as in /tmp.
  chmodSync(above, 0o1777);
  await unpackPrivately(native, parent, 'koffi-');
  // Only root can give folders to others.
  if (process.getuid?.() !== 0) return;
  chownSync(parent, 12_345, 12_345);
  await expect(unpackPrivately(native, parent, 'koffi-')).rejects.toThrow(`Other users can write to ${parent}.`);
});
