import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { protectConfigFolder } from './config-folder.ts';

const place = mkdtempSync(path.join(os.tmpdir(), 'catalog-config-folder-'));
afterAll(() => {
  chmodSync(place, 0o700);
  rmSync(place, { recursive: true });
});
const refusal = (folder: string, reason: string) =>
  new Error(`The data folder ${folder} cannot be used: ${reason} Set SVC_CONFIG_DIR to another folder.`);

test('the folder and its parents are created, the folder for this user only', () => {
  const folder = path.join(place, 'a', 'b', 'config');
  expect(protectConfigFolder(folder, null)).toBeNull();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(protectConfigFolder(folder, null)).toBeNull();
});

test('a file in its place or in its path is named as the reason', () => {
  const file = path.join(place, 'file');
  writeFileSync(file, '');
  for (const folder of [file, path.join(file, 'config'), path.join(file, 'deep', 'config')])
    expect(() => protectConfigFolder(folder, null)).toThrow(refusal(folder, 'it, or a part of its path, is not a folder.'));
});

test.runIf(process.platform === 'linux')('a place where nothing can be created is refused at once', () => {
  expect(() => protectConfigFolder('/proc/catalog/config', null)).toThrow(refusal('/proc/catalog/config', 'it cannot be created there.'));
});

test.runIf(process.getuid?.() !== 0)('a folder that this user may not write to is refused', () => {
  chmodSync(place, 0o500);
  const folder = path.join(place, 'closed');
  expect(() => protectConfigFolder(folder, null)).toThrow(refusal(folder, 'this user may not write there.'));
  expect(existsSync(folder)).toBe(false);
});
