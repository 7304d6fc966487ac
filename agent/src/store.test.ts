import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { type OutboxEntry, openStore } from './store.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agent-store-'));
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test('the lag is the age of the oldest waiting change, also in an index that an earlier version has made', () => {
  const file = path.join(folder, 'index.db');
  const earlier = openStore(file);
  earlier.close();
  const db = new DatabaseSync(file);
  db.exec(
    "drop table outbox; create table outbox (seq integer primary key autoincrement, entry text not null); insert into outbox (entry) values ('{}')",
  );
  db.close();

  vi.useFakeTimers({ now: 1_000_000 });
  const store = openStore(file);
  try {
    expect(store.pending()).toBe(1);
    expect(store.lagSeconds()).toBe(0);
    store.run('delete from outbox');
    store.add({} as OutboxEntry);
    vi.setSystemTime(1_004_000);
    store.add({} as OutboxEntry);
    vi.setSystemTime(1_005_500);
    expect(store.lagSeconds()).toBe(5.5);
    store.run('delete from outbox where seq = (select min(seq) from outbox)');
    expect(store.lagSeconds()).toBe(1.5);
    // A clock that was set back.
    vi.setSystemTime(900_000);
    expect(store.lagSeconds()).toBe(0);
  } finally {
    store.close();
  }
});

test('an access list is stored once and written out in each entry, also in an index that an earlier version has made', () => {
  const file = path.join(folder, 'index.db');
  openStore(file).close();
  const db = new DatabaseSync(file);
  for (const table of ['files', 'fresh', 'folders']) db.exec(`alter table ${table} drop column acl`);
  db.close();

  const list = { uid: 1000, gid: 100, mode: 0o640, fidelity: 'posix_mode_only' };
  const first = openStore(file);
  const id = first.aclId(list);
  first.add({ event_type: 'folder', library_ref: '/data', rel_path: 'a', acl: id });
  first.add({ event_type: 'folder', library_ref: '/data', rel_path: 'b', acl: null });
  first.close();
  const second = openStore(file);
  try {
    expect(second.aclId({ ...list })).toBe(id);
    expect(second.aclId({ ...list, mode: 0o600 })).not.toBe(id);
    const entries = second.all<{ entry: string }>('select entry from outbox order by seq').map(({ entry }) => JSON.parse(entry));
    expect(entries).toEqual([
      { event_type: 'folder', library_ref: '/data', rel_path: 'a', acl: list },
      { event_type: 'folder', library_ref: '/data', rel_path: 'b', acl: null },
    ]);
    expect(second.all('select acl from files union all select acl from fresh union all select acl from folders')).toEqual([]);
  } finally {
    second.close();
  }
});
