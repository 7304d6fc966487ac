import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDiskStrings } from './disk-strings.ts';

/** Writes the strings to a file in the layout of a segment: offsets, then UTF-8. */
function withStrings(strings: readonly string[], use: (open: () => ReturnType<typeof openDiskStrings>) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'engine-test-'));
  const offsets = new Uint32Array(strings.length + 1);
  strings.forEach((text, at) => {
    offsets[at + 1] = offsets[at]! + Buffer.byteLength(text);
  });
  const file = join(folder, 'strings');
  writeFileSync(file, Buffer.concat([Buffer.from(offsets.buffer), Buffer.from(strings.join(''))]));
  const fd = openSync(file, 'r');
  try {
    use(() => openDiskStrings(fd, 0, strings.length, offsets.byteLength, offsets.at(-1)!));
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

const id = (number: number, length: number) => String(number).padStart(length, '0');

test.each([
  ['of one length', Array.from({ length: 40_000 }, (_, at) => id(at, 8))],
  ['of different lengths', Array.from({ length: 40_000 }, (_, at) => id(at, 3 + (at % 9)))],
  // The total length is that of uniform strings, and the difference is behind the first block of offsets.
  ['of one length except for two', Array.from({ length: 40_000 }, (_, at) => id(at, at === 30_000 ? 7 : at === 30_001 ? 9 : 8))],
  ['few', ['a', 'bb', '', 'ø']],
])('strings %s are found by index', (_, strings) => {
  withStrings(strings, (open) => {
    const found = open();
    for (let at = 0; at < strings.length; at += strings.length > 100 ? 997 : 1) expect(found.get(at)).toBe(strings[at]);
    expect(found.get(strings.length - 1)).toBe(strings.at(-1));
    for (const at of [29_999, 30_000, 30_001, 30_002].filter((place) => place < strings.length)) expect(found.get(at)).toBe(strings[at]);
    expect(open().slice(1, 3)).toEqual(strings.slice(1, 3));
  });
});

// The address 0 of a process is never readable, so the system answers like a disk with a bad block.
test.runIf(process.platform === 'linux')('a segment that the disk cannot read is damaged', () => {
  const fd = openSync('/proc/self/mem', 'r');
  try {
    expect(() => openDiskStrings(fd, 0, 3, 16, 30).get(1)).toThrow(expect.objectContaining({ name: 'EngineError', code: 'corrupt' }));
  } finally {
    closeSync(fd);
  }
});
