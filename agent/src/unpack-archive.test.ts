import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { unpackArchive } from './unpack-archive.ts';

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
