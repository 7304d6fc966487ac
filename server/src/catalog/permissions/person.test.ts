import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { addLibrary, items, scan, write } from '../scan/library.fixture.ts';

const isRoot = process.getuid?.() === 0;

/** `later` is opened and `closed` is closed after `before`. */
describe.skipIf(!isRoot)('what a person can read (needs root)', () => {
  let t: TestApp;
  let id: string;
  let folder: string;
  let before: string;
  beforeAll(async () => {
    t = await createTestApp();
    folder = mkdtempSync(path.join(os.tmpdir(), 'person-'));
    write(folder, { 'open/a.txt': '1', 'open/secret.txt': '2', 'later/in/b.txt': '3', 'later/c.txt': '4', 'closed/d.txt': '5' });
    const at = (name: string) => path.join(folder, name);
    for (const name of ['.', 'open', 'later/in', 'closed']) chmodSync(at(name), 0o755);
    for (const name of ['open/a.txt', 'later/in/b.txt', 'later/c.txt', 'closed/d.txt']) chmodSync(at(name), 0o644);
    chmodSync(at('open/secret.txt'), 0o600);
    chmodSync(at('later'), 0o700);
    id = await addLibrary(t.deps.db, folder, { name: 'Office' });
    await scan(t.deps.db, id);
    before = (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(t.deps.db)).rows[0]!.now.toISOString();
    chmodSync(at('later'), 0o755);
    chmodSync(at('closed'), 0o700);
    chmodSync(at('open/a.txt'), 0o640);
    await scan(t.deps.db, id);
  });
  afterAll(async () => {
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (url: string, as?: string) => t.request('GET', url, undefined, as ? { as } : {});
  const person = 'principal=nobody';

  test('folders can be counted as they were on a past day', async () => {
    const counts = async (query: string) =>
      Object.fromEntries(
        (await get(`/permissions/readable-folders?${person}&library_id=${id}${query}`))
          .json()
          .children.map(({ folder, allowed, files }: Record<string, unknown>) => [folder, `${allowed} of ${files}`]),
      );
    expect(await counts('')).toEqual({ closed: '0 of 1', later: '2 of 2', open: '0 of 2' });
    expect(await counts(`&at=${before}`)).toEqual({ closed: '1 of 1', later: '0 of 2', open: '1 of 2' });
    expect(await counts(`&at=${before}&right=write`)).toEqual({ closed: '0 of 1', later: '0 of 2', open: '0 of 2' });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await get(`/permissions/readable-folders?${person}&at=${tomorrow}`)).statusCode).toBe(422);
  });

  test('the reasons of a folder come in order: the folders on the way, then its files', async () => {
    const reasons = async (folder: string) => (await get(`/permissions/folder-reasons?${person}&library_id=${id}&folder=${folder}`)).json();
    const open = await reasons('later/in');
    expect(open.folders.filter((each: { folder: string | null }) => each.folder !== null)).toMatchObject([
      { folder: '', allowed: true, entry: 'everyone' },
      { folder: 'later', allowed: true, entry: 'everyone' },
      { folder: 'later/in', allowed: true, entry: 'everyone' },
    ]);
    expect(open.files).toMatchObject([{ files: 1, allowed: true, entry: 'everyone', in_folder: false }]);
    const closed = await reasons('closed');
    expect(closed.folders.at(-1)).toMatchObject({ folder: 'closed', allowed: false, entry: 'everyone' });
    expect(closed.files).toMatchObject([{ files: 1, allowed: false, in_folder: true }]);
    expect((await reasons('open')).files).toMatchObject([{ files: 2, allowed: false, entry: 'everyone' }]);
    expect((await get(`/permissions/folder-reasons?${person}&library_id=${id}&folder=none`)).statusCode).toBe(404);
    expect((await get(`/permissions/folder-reasons?principal=no-such-name&library_id=${id}`)).statusCode).toBe(422);
  });

  test('changes are listed with their effect in files for that person', async () => {
    const changes = (await get(`/permissions/person-changes?${person}`)).json().changes as { folder: string | null; files: number }[];
    expect(changes.map(({ folder, files }) => [folder, files]).sort()).toEqual([
      [null, -1],
      ['closed', -1],
      ['later', 2],
    ]);
    // Nothing changed for the owner.
    expect((await get('/permissions/person-changes?principal=root')).json().changes).toEqual([]);
  });

  test('the report lists one row per folder, today and on a past day', async () => {
    const rows = async (query: string) =>
      (await get(`/reports/permissions_readable_folders?${person}${query}`))
        .json()
        .rows.map(({ folder, readable, file_count }: Record<string, unknown>) => [folder, readable, file_count]);
    expect(await rows('')).toEqual([
      ['closed', 0, 1],
      ['later', 1, 1],
      ['later/in', 1, 1],
      ['open', 0, 2],
    ]);
    expect(await rows(`&on=${before}`)).toEqual([
      ['closed', 1, 1],
      ['later', 0, 1],
      ['later/in', 0, 1],
      ['open', 1, 2],
    ]);
  });

  test('the file says since when somebody can read it, for how many people an entry is, and what differs between two times', async () => {
    const item = (await items(t.deps.db, id))['later/c.txt'];
    const permissions = (await get(`/items/${item?.id}/permissions`)).json();
    const everyone = permissions.access.find(({ principal }: { principal: { id: string } }) => principal.id === 'other');
    const owner = permissions.access.find(({ principal }: { principal: { id: string } }) => principal.id === 'uid:0');
    expect(Date.parse(everyone.since)).toBeGreaterThan(Date.parse(before));
    expect(Date.parse(owner.since)).toBeLessThan(Date.parse(before));
    const lines = permissions.history[0].lines as { sign: string; principal: { id: string }; people: number }[];
    const people = permissions.people.can_read + permissions.people.cannot_read;
    expect(lines.find(({ sign, principal }) => sign === '+' && principal.id === 'other')?.people).toBe(people);
    const compare = async (from: string, to: string) => (await get(`/items/${item?.id}/permissions/compare?from=${from}&to=${to}`)).json();
    const now = new Date().toISOString();
    const changed = await compare(before, now);
    expect(changed).toMatchObject({ complete: true, lost: { count: 0 }, parts: [{ folder: 'later' }] });
    expect(changed.gained.count).toBe(permissions.history[0].gained);
    expect(changed.gained.names).toHaveLength(Math.min(50, changed.gained.count));
    expect(await compare(before, before)).toMatchObject({ parts: [], gained: { count: 0 }, lost: { count: 0 } });
    expect((await get(`/items/${item?.id}/permissions/compare?from=${now}&to=${before}`)).statusCode).toBe(422);
  });

  test('without the right to see permissions nothing of this is told', async () => {
    const { key } = await addPerson(t.deps, [[id, '', 'search_metadata']]);
    const item = (await items(t.deps.db, id))['later/c.txt'];
    expect((await get(`/permissions/folder-reasons?${person}&library_id=${id}`, key)).statusCode).toBe(404);
    expect((await get(`/permissions/person-changes?${person}`, key)).json().changes).toEqual([]);
    expect((await get(`/permissions/readable-folders?${person}&at=${before}`, key)).json()).toMatchObject({ files: 0, account: null });
    const compare = `/items/${item?.id}/permissions/compare?from=${before}&to=${before}`;
    expect((await get(compare, key)).statusCode).toBe(403);
    // Only part of the library: only that part is counted.
    const part = await addPerson(t.deps, [
      [id, '', 'search_metadata'],
      [id, 'closed', 'view_permissions'],
    ]);
    const seen = (await get(`/permissions/person-changes?${person}`, part.key)).json().changes;
    expect(seen).toMatchObject([{ folder: 'closed', files: -1 }]);
    expect((await get(`/permissions/folder-reasons?${person}&library_id=${id}&folder=later`, part.key)).statusCode).toBe(404);
  });

  test('sign-ins of the account with that name are told to administrators only', async () => {
    const { key } = await addPerson(t.deps, [
      [id, '', 'search_metadata'],
      [id, '', 'view_permissions'],
    ]);
    await t.request('POST', '/auth/users', { username: 'nobody', password: 'a long enough password' });
    expect((await get(`/permissions/readable-folders?${person}`)).json().account).toMatchObject({
      username: 'nobody',
      last_login_at: null,
    });
    expect((await get(`/permissions/readable-folders?${person}`, key)).json().account).toBeNull();
  });
});
