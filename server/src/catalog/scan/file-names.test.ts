import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathBytes } from '@catalog/scanner';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

test('names that are not UTF-8, hold newlines, or differ only in case or normal form are stored unchanged and hashed', async () => {
  const { db } = database;
  const root = tree();
  const names = [
    Buffer.from('caf\xe9.txt', 'latin1'),
    Buffer.from('café.txt'),
    Buffer.from('cafe\u0301.txt'),
    Buffer.from('two\nlines\ttab.txt'),
    Buffer.from('Case.txt'),
    Buffer.from('case.txt'),
    Buffer.from('quote"back\\slash\'{},NULL.txt'),
    Buffer.from(' leading and trailing '),
    Buffer.from([0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67]),
    Buffer.from('\u{10fee9}.txt'),
    Buffer.from('日本語の名前.jpg'),
    Buffer.from('n'.repeat(255)),
  ];
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), name);
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xe9, 0x20, 0x2e])]));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xe9, 0x20, 0x2e]), Buffer.from('/inside.txt')]), 'x');
  const library = await addLibrary(db, root);
  const run = await scan(db, library);
  expect(run).toMatchObject({ status: 'finished', stats: { seen: 13, new: 13, hash_errors: 0 } });
  const found = await items(db, library);
  const stored = Object.keys(found).map((text) => pathBytes(text).toString('hex'));
  expect(stored.sort()).toEqual(
    [...names, Buffer.concat([Buffer.from([0xe9, 0x20, 0x2e]), Buffer.from('/inside.txt')])].map((name) => name.toString('hex')).sort(),
  );
  expect(Object.values(found).every(({ content_hash, hash_error }) => content_hash !== null && hash_error === null)).toBe(true);
  expect((await scan(db, library)).stats).toMatchObject({ seen: 13, new: 0, changed: 0, missing: 0, folders_unchanged: 2 });
});

test('a path as long as the system allows is stored, and so is a very deep one', async () => {
  const { db } = database;
  const root = tree();
  let at = root;
  const deep: string[] = [];
  while (Buffer.byteLength(at) + 4 < 1600) {
    at = path.join(at, 'd');
    deep.push('d');
  }
  mkdirSync(at, { recursive: true });
  writeFileSync(path.join(at, 'x'), 'deep');
  let wide = root;
  for (let level = 0; level < 5; level += 1) wide = path.join(wide, 'ö'.repeat(120));
  mkdirSync(wide, { recursive: true });
  writeFileSync(path.join(wide, 'y.txt'), 'wide');
  const library = await addLibrary(db, root);
  const run = await scan(db, library);
  expect(run).toMatchObject({ status: 'finished', stats: { seen: 2 } });
  expect(Object.keys(await items(db, library))).toContain(`${deep.join('/')}/x`);
  expect((await scan(db, library)).stats).toMatchObject({ seen: 2, new: 0, missing: 0 });
});

test('a folder with more files than one slice is compared completely', async () => {
  const { db } = database;
  const root = tree();
  const count = 11_000;
  for (let index = 0; index < count; index += 1) writeFileSync(path.join(root, `f${index}.txt`), String(index));
  const library = await addLibrary(db, root);
  expect((await scan(db, library)).stats).toMatchObject({ seen: count, new: count });
  writeFileSync(path.join(root, 'f7777.txt'), 'changed now');
  writeFileSync(path.join(root, 'zz.txt'), 'last');
  unlinkSync(path.join(root, 'f0.txt'));
  unlinkSync(path.join(root, 'f9999.txt'));
  expect((await scan(db, library)).stats).toMatchObject({ seen: count - 1, new: 1, changed: 1, missing: 2 });
});
