import { chmodSync, chownSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPerson } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { setAcl } from '../../catalog/permissions/acl-tree.fixture.ts';
import { addLibrary, scan, write } from '../../catalog/scan/library.fixture.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
let t: IndexedApp;
let library: string;
let root: string;

describe.skipIf(!isRoot)('search by permissions (needs root)', () => {
  beforeAll(async () => {
    t = await createIndexedApp();
    root = `${process.env['TMPDIR'] ?? '/tmp'}/permission-search-${process.pid}`;
    write(root, { 'open.txt': '1', 'mine.txt': '2', 'listed.txt': '3', 'closed/hidden.txt': '4', 'group.txt': '5' });
    chmodSync(root, 0o755);
    for (const name of ['open.txt', 'closed/hidden.txt']) chmodSync(path.join(root, name), 0o644);
    chmodSync(path.join(root, 'closed'), 0o700);
    chownSync(path.join(root, 'mine.txt'), nobody, 0);
    chmodSync(path.join(root, 'mine.txt'), 0o600);
    chmodSync(path.join(root, 'group.txt'), 0o640);
    chownSync(path.join(root, 'group.txt'), 0, 1);
    setAcl(path.join(root, 'listed.txt'), 'access', [
      ['owner', 6],
      ['user', 4, nobody],
      ['group_owner', 0],
      ['mask', 4],
      ['other', 0],
    ]);
    library = await addLibrary(t.deps.db, root);
    await scan(t.deps.db, library);
    await t.waitForIndex();
  });
  afterAll(async () => {
    await t.close();
    rmSync(root, { recursive: true, force: true });
  });

  const search = async (query: string, as = t.keys.admin): Promise<string[]> =>
    (await t.request('GET', `/search?${query}`, undefined, { as }))
      .json()
      .hits.map((hit: { rel_path: string }) => hit.rel_path)
      .sort();
  const preview = async (query: string): Promise<string[]> =>
    (await t.request('POST', '/query/preview', { query, limit: 50 }))
      .json()
      .rows.map((row: { rel_path: string }) => row.rel_path)
      .sort();

  test('principal finds the files that principal can read: by name, uid, group, SID or everyone; a closed folder counts', async () => {
    expect(await search('principal=nobody')).toEqual(['listed.txt', 'mine.txt', 'open.txt']);
    expect(await search(`principal=uid:${nobody}`)).toEqual(['listed.txt', 'mine.txt', 'open.txt']);
    expect(await search(`principal=${nobody}`)).toEqual(['listed.txt', 'mine.txt', 'open.txt']);
    expect(await search('principal=everyone')).toEqual(['open.txt']);
    expect(await search('principal=gid:1')).toEqual(['group.txt', 'open.txt']);
    expect(await search('principal=root')).toHaveLength(5);
    expect(await search('principal=S-1-5-21-1-2-3-1104')).toEqual([]);
    expect((await t.request('GET', '/search?principal=no-such-person')).statusCode).toBe(422);
  });

  test('world_readable finds the files readable by everyone, or the others', async () => {
    expect(await search('world_readable=true')).toEqual(['open.txt']);
    expect(await search('world_readable=false')).toEqual(['closed/hidden.txt', 'group.txt', 'listed.txt', 'mine.txt']);
  });

  test.each([
    ['readable-by:nobody', ['listed.txt', 'mine.txt', 'open.txt']],
    ['writable-by:nobody', ['mine.txt']],
    ['writable-by:everyone', []],
    ['owner:nobody', ['mine.txt']],
    ['-readable-by:everyone owner:root', ['closed/hidden.txt', 'group.txt', 'listed.txt']],
    ['readable-by:gid:1;nobody', ['group.txt', 'listed.txt', 'mine.txt', 'open.txt']],
    ['perm-changed:<30d', []],
  ])('%s gives the same in the index and in the database', async (query, expected) => {
    expect(await search(`q=${encodeURIComponent(query)}`)).toEqual(expected);
    expect(await preview(query)).toEqual(expected);
  });

  test('perm-changed finds the files whose permissions were changed lately', async () => {
    chmodSync(path.join(root, 'open.txt'), 0o664);
    await scan(t.deps.db, library);
    await t.waitForIndex();
    expect(await search('q=perm-changed:<30d')).toEqual(['open.txt']);
    expect(await preview('perm-changed:<30d')).toEqual(['open.txt']);
    expect(await search('q=perm-changed:>30d')).toEqual([]);
  });

  test('GET /search/principals lists those who can read files, with counts, as principal accepts them', async () => {
    const listed = (await t.request('GET', '/search/principals')).json().principals as { value: string; count: number }[];
    expect(listed).toContainEqual({ value: 'nobody', count: 2 });
    expect(listed).toContainEqual({ value: 'everyone', count: 1 });
    for (const { value } of listed) expect((await t.request('GET', `/search?principal=${encodeURIComponent(value)}`)).statusCode).toBe(200);
    expect((await t.request('GET', '/search/principals?q=nob')).json().principals).toEqual([{ value: 'nobody', count: 2 }]);
  });

  test('without the right to see permissions, no filter tells anything about them', async () => {
    const { key } = await addPerson(t.deps, [[library, '', 'search_metadata']]);
    expect(await search('', key)).toHaveLength(5);
    for (const query of [
      'principal=everyone',
      'world_readable=true',
      'world_readable=false',
      'q=owner:root',
      'q=readable-by:root',
      'q=perm-changed:<30d',
    ])
      expect(await search(query, key)).toEqual([]);
    expect((await t.request('GET', '/search/principals', undefined, { as: key })).json().principals).toEqual([]);
  });
});
