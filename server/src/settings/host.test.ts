import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemHost } from './host.ts';

const host = systemHost();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-host-'));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'file'), 'text');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('folders and files are distinguished', () => {
  const [sub, file] = [join(folder, 'sub'), join(folder, 'file')];
  expect([host.isDirectory(sub), host.isFile(sub), host.isWritable(sub)]).toEqual([true, false, true]);
  expect([host.isDirectory(file), host.isFile(file), host.isReadable(file), host.readText(file)]).toEqual([false, true, true, 'text']);
});

test.each(['none', 'file/below-a-file'])('%s returns false instead of throwing', (name) => {
  const path = join(folder, name);
  expect([host.isDirectory(path), host.isFile(path), host.isReadable(path), host.isWritable(path)]).toEqual([false, false, false, false]);
  expect(() => host.readText(path)).toThrow();
});
