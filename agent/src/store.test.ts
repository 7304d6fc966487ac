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
