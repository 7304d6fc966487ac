import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { createShareMap, findShare, toSmb } from './share-map.ts';

let t: TestApp;
let file: string;
beforeAll(async () => {
  t = await createTestApp();
  file = t.deps.settings.shareMapPath;
});
afterAll(() => t.close());

const at = (root_path: string, share_prefix: string | null = null) => ({ root_path, share_prefix });
const entry = (container_prefix: string, share_url: string, unc: string | null = null) => ({
  container_prefix,
  share_url,
  storage_type: null,
  host: null,
  unc,
});

describe('the file', () => {
  test('a bad row is skipped and logged, a bad file means no map, and a change is read again', () => {
    const logged: string[] = [];
    const read = createShareMap(file, { warning: (message) => void logged.push(message) });
    expect([read(), logged]).toEqual([[], []]);
    const rows = [
      { container_prefix: '/data', share_url: 'smb://ada:secret@nas/data', unknown: 1 },
      { container_prefix: 'relative', share_url: 'smb://nas/x' },
      { container_prefix: '/data/b', share_url: 'nonsense' },
      null,
    ];
    writeFileSync(file, JSON.stringify(rows));
    expect(read()).toEqual([entry('/data', 'smb://nas/data')]);
    expect(logged).toEqual([2, 3, 4].map((number) => expect.stringContaining(`entry ${number} is left out`)));
    read();
    expect(logged).toHaveLength(3);
    writeFileSync(file, '{ not json');
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    expect(read()).toEqual([]);
    expect(logged.at(-1)).toContain('is ignored');
    rmSync(file);
  });

  test('the longest prefix on a folder boundary wins, and a prefix given by hand comes first', () => {
    const map = [entry('/data', 'smb://nas/data'), entry('/data/photos', 'smb://nas/photos/'), entry('/data/pho', 'smb://nas/wrong')];
    expect(findShare(at('/data/photos/2024'), map)).toEqual({
      prefix: 'smb://nas/photos/2024',
      source: 'mount-map',
      unc: '\\\\nas\\photos\\2024',
    });
    expect(findShare(at('/database'), map)).toEqual({ prefix: null, source: 'none', unc: null });
    expect(findShare(at('/data', '\\\\pc\\share'), map)).toMatchObject({ source: 'manual', unc: '\\\\pc\\share' });
  });

  test('UNC is derived from smb and back: not with a port, an IPv6 address by its Windows name, credentials dropped', () => {
    const unc = (share_url: string) => findShare(at('/d'), [entry('/d', share_url)]).unc;
    expect(unc('smb://nas/my%20share/a')).toBe('\\\\nas\\my share\\a');
    expect(unc('smb://ada:x@nas/share')).toBe('\\\\nas\\share');
    expect(unc('smb://nas:1445/share')).toBeNull();
    expect(unc('smb://[fe80::1]/share')).toBe('\\\\fe80--1.ipv6-literal.net\\share');
    expect(unc('nfs://nas/share')).toBeNull();
    expect(toSmb('\\\\nas\\my share\\a')).toBe('smb://nas/my%20share/a');
    expect(toSmb('\\\\fe80--1.ipv6-literal.net\\share')).toBe('smb://[fe80::1]/share');
    expect(toSmb('/mnt/x')).toBeNull();
  });
});

test('an administrator edits the map and sees first which address each library would get', async () => {
  const id = await addLibrary(t.deps, { name: 'Scans', root_path: '/data/scans' });
  const item = await addItem(t.deps, id, 'a b/letter #1.pdf');
  const entries = [{ container_prefix: '/data/', share_url: 'smb://user:secret@nas/data' }];
  const preview = await t.request('POST', '/system/share-map/preview', { entries });
  expect(preview.json()).toContainEqual({
    library: 'Scans',
    root_path: '/data/scans',
    share_url: 'smb://nas/data/scans',
    unc: '\\\\nas\\data\\scans',
    source: 'mount-map',
  });
  expect(existsSync(file)).toBe(false);
  expect((await t.request('PUT', '/system/share-map', { entries })).json()).toEqual([entry('/data', 'smb://nas/data')]);
  expect(readFileSync(file, 'utf8')).not.toContain('secret');
  expect((await t.request('GET', `/items/${item}`)).json()).toMatchObject({
    share_url: 'smb://nas/data/scans/a%20b/letter%20%231.pdf',
    share_unc: '\\\\nas\\data\\scans\\a b\\letter #1.pdf',
    share_source: 'mount-map',
  });
  expect((await t.request('GET', '/audit?event_type=share_map_changed')).json().events).toHaveLength(1);
});

test('with the entries that the caller saw, a map that somebody changed meanwhile is not replaced', async () => {
  const put = (entries: object[], expected?: object[]) => t.request('PUT', '/system/share-map', { entries, expected });
  const mine = { container_prefix: '/mine', share_url: 'smb://nas/mine' };
  const seen = (await put([])).json();
  const theirs = (await put([{ container_prefix: '/theirs', share_url: 'smb://nas/theirs' }])).json();
  const refused = await put([mine], seen);
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'edited_meanwhile']);
  expect((await t.request('GET', '/system/share-map')).json()).toEqual(theirs);
  // Twice, as if the first answer had been lost.
  expect([(await put([...theirs, mine], theirs)).statusCode, (await put([...theirs, mine], theirs)).statusCode]).toEqual([200, 200]);
});

test('a wrong entry is refused at its field, two entries of one folder too, and a file that cannot be written says so', async () => {
  const put = (entries: object[], as = 'admin') => t.request('PUT', '/system/share-map', { entries }, { as });
  expect((await put([{ container_prefix: 'x', share_url: 'smb://nas/x' }])).json().errors[0].loc).toEqual(['body', 'entries', 0]);
  const twice = { container_prefix: '/x', share_url: 'smb://nas/x' };
  expect((await put([twice, twice])).statusCode).toBe(422);
  expect((await put([], 'write')).statusCode).toBe(403);
  const blocked = path.join(path.dirname(file), `${path.basename(file)}.partial`);
  rmSync(file, { force: true });
  mkdirSync(blocked);
  expect((await put([])).json()).toMatchObject({ status: 409, detail: expect.stringContaining('cannot be written') });
  rmSync(blocked, { recursive: true });
});
