import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHasher } from '@catalog/scanner';
import { afterAll, expect, test } from 'vitest';
import { createReadMeter } from './read-meter.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'read-meter-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the speed counts bytes that were read: all of a hashed file, samples of a large one, none of a file that failed', async () => {
  let now = 0;
  const meter = createReadMeter(() => now);
  const hasher = meter.count(createHasher({ threads: 1 }));
  const request = (name: string, size: number, content: boolean) => {
    const file = path.join(folder, name);
    writeFileSync(file, Buffer.alloc(size));
    return { path: file, size, mtimeNs: String(statSync(file, { bigint: true }).mtimeNs), content };
  };
  try {
    await hasher.hash([request('whole', 400_000, true), request('sampled', 1_000_000, false), request('small', 1000, false)]);
    await hasher.hash([{ ...request('changed', 700_000, true), size: 5 }]);
    now = 2000;
    expect(meter.take()).toBe((400_000 + 3 * 65_536 + 1000) / 2);
    now = 4000;
    expect(meter.take()).toBe(0);
  } finally {
    await hasher.close();
  }
});
