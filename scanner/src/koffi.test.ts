import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { setKoffiFolder } from './koffi.ts';
import { type AclAttributes, createAclReader } from './permissions/attributes.ts';
import { createPermissionReader } from './permissions/folder-reader.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-koffi-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers for the C library: every file has one attribute. */
const otherKoffi = `
const answer = (name) => name.includes('list')
  ? (file, list) => list.write('system.posix_acl_access\\0')
  : (file, attribute, value) => value.write('from the folder');
module.exports = { errno: () => 0, load: () => ({ func: answer }) };`;

test.skipIf(process.platform !== 'linux')(
  'koffi is loaded from the folder into which it was unpacked, also in the thread that reads permissions',
  async () => {
    mkdirSync(path.join(folder, 'node_modules', 'koffi'), { recursive: true });
    writeFileSync(path.join(folder, 'node_modules', 'koffi', 'index.js'), otherKoffi);
    setKoffiFolder(folder);
    const textOf = (found: AclAttributes | undefined) => Buffer.from(found?.values['system.posix_acl_access'] ?? []).toString();
    expect(textOf(createAclReader()?.ofPath('/file'))).toBe('from the folder');
    const reader = createPermissionReader();
    const [found] = await reader.read([{ folder: '/', names: ['file'] }]);
    await reader.close();
    expect(textOf(found)).toBe('from the folder');
  },
);
