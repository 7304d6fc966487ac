import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSegmentFile, readSegment } from './segment-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'segment-'));
afterAll(() => rm(folder, { recursive: true }));

test('sections with equal bytes are stored once, but never those that only have the same checksum', async () => {
  const path = join(folder, 'a.seg');
  const file = createSegmentFile(path);
  const text = (bytes: string) => Buffer.from(bytes);
  file.section('first', text('plumless'));
  file.section('again', text('plum'), text('less'));
  // The same length and CRC-32.
  file.section('other', text('buckeroo'));
  file.section('empty');
  file.endResident();
  file.section('on disk', text('plumless'));
  const { bytes } = file.finish({ documents: 0, terms: 0, schema: '', widths: {} });
  expect((await stat(path)).size).toBe(bytes);
  let memory = new Uint8Array(0);
  const { table, isVerified } = await readSegment(path, bytes, ({ residentEnd }) => {
    memory = new Uint8Array(residentEnd);
    return memory;
  });
  expect(isVerified).toBe(true);
  const offsets = Object.fromEntries(Object.entries(table.sections).map(([name, [offset]]) => [name, offset]));
  expect(offsets['again']).toBe(offsets['first']);
  expect(offsets['other']).not.toBe(offsets['first']);
  expect(offsets['on disk']).toBeGreaterThanOrEqual(table.residentEnd);
  const read = (name: string) => Buffer.from(memory.subarray(offsets[name], (offsets[name] ?? 0) + 8)).toString();
  expect([read('again'), read('other')]).toEqual(['plumless', 'buckeroo']);
});
