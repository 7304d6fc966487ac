import { lstatSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCollectors } from './inventory-collectors.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-collectors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const describe = (asked: unknown, name: string) => {
  const file = path.join(folder, name);
  return openCollectors(asked).describe(folder, file, lstatSync(file, { bigint: true }));
};

test('a collector that this program does not have is reported, and the others run', async () => {
  const { run, errors } = openCollectors(['stat', 'contents']);
  expect([run, errors]).toEqual([['stat'], { contents: 'This program has no such collector.' }]);
  expect(openCollectors(undefined).run).toEqual(['stat', 'owner', 'perms']);
});

test('a file that takes up no space on the disk is a placeholder; small ones, links and folders are not judged', async () => {
  writeFileSync(path.join(folder, 'full.bin'), Buffer.alloc(8192, 1));
  for (const [name, size] of [
    ['cloud.bin', 8192],
    ['small.bin', 100],
  ] as const) {
    writeFileSync(path.join(folder, name), '');
    truncateSync(path.join(folder, name), size);
  }
  symlinkSync('cloud.bin', path.join(folder, 'link'));
  const judged = (name: string) => describe(['placeholder'], name);
  expect(await judged('cloud.bin')).toEqual({ placeholder: true });
  for (const name of ['full.bin', 'small.bin']) expect(await judged(name), name).toEqual({ placeholder: false });
  for (const name of ['link', '.']) expect(await judged(name), name).toEqual({});
});

test('an id without a name is listed without one, and its access list too', async () => {
  const stats = lstatSync(path.join(folder, 'full.bin'), { bigint: true });
  const strange = Object.assign(Object.create(Object.getPrototypeOf(stats)), stats, { uid: 3_999_999_001n, gid: 3_999_999_002n });
  const found = await openCollectors(['owner', 'permissions']).describe(folder, path.join(folder, 'full.bin'), strange);
  expect(found).toMatchObject({ uid: 3_999_999_001, gid: 3_999_999_002, user: null, group: null });
  if (process.platform === 'linux') expect(found).toMatchObject({ permissions: { owner: { kind: 'user', id: 'uid:3999999001' } } });
});
