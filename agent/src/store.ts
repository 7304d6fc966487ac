/**
 * The local index and the outbox, in one SQLite file: a change of a file and the entry that reports it are written in one transaction, so a
 * kill at any point loses neither. Entries stay in the outbox until the service has confirmed them. Sequence numbers are never used twice.
 */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ReplicatedAcl, ReplicationEntry } from '@catalog/protocol';

export interface FileRow {
  dir: string;
  name: string;
  size: number;
  mtime_ns: string;
  inode: string;
  device: number;
  links: number;
  ctime_ns: string | null;
  symlink_target: string | null;
  quick_hash: string | null;
  content_hash: string | null;
  policy_version: string | null;
  hash_error: string | null;
  /** The id of its access list in this index; null where permissions are not recorded. */
  acl: number | null;
  /** Bytes on disk where they are fewer than its size, as for sparse files; otherwise null. */
  allocated: number | null;
}

/** An access list is given by its id in this index, and written out when the entry is stored. */
export type OutboxEntry = Omit<ReplicationEntry, 'seq_no' | 'acl'> & { acl?: number | null };

export function entryOf(root: string, event: OutboxEntry['event_type'], row: FileRow, more: Partial<OutboxEntry> = {}): OutboxEntry {
  const { dir, name, acl, allocated, ...facts } = row;
  const optional = { ...(acl === null ? {} : { acl }), ...(allocated === null ? {} : { allocated }) };
  return { event_type: event, library_ref: root, rel_path: dir === '' ? name : `${dir}/${name}`, ...facts, ...optional, ...more };
}

const schema = `
  create table if not exists meta (key text primary key, value text not null) without rowid;
  create table if not exists roots (path text primary key, listed integer not null default 0, last_scan_at text, last_error text) without rowid;
  create table if not exists folders (root text not null, path text not null, fingerprint text, seen integer not null default 0, acl integer, primary key (root, path)) without rowid;
  create table if not exists files (
    root text not null, dir text not null, name text not null, size integer not null, mtime_ns text not null, inode text not null, device integer not null,
    links integer not null, ctime_ns text, symlink_target text, quick_hash text, content_hash text, policy_version text, hash_error text, acl integer,
    allocated integer, primary key (root, dir, name)) without rowid;
  create table if not exists outbox (seq integer primary key autoincrement, entry text not null, added_at integer);
  -- New files, vanished files and folder marks of a running scan, until moves are resolved.
  create table if not exists fresh (
    root text not null, dir text not null, name text not null, size integer not null, mtime_ns text not null, inode text not null, device integer not null,
    links integer not null, ctime_ns text, symlink_target text, quick_hash text, content_hash text, policy_version text, hash_error text, acl integer,
    allocated integer, primary key (root, dir, name)) without rowid;
  -- Access lists of files and folders, each once.
  create table if not exists acls (id integer primary key, record text not null unique);
  create table if not exists gone (root text not null, dir text not null, name text not null, primary key (root, dir, name)) without rowid;
  create table if not exists marks (root text not null, path text not null, fingerprint text not null, primary key (root, path)) without rowid;
  -- Files to be read, and of which bytes and by which reader each file was read last.
  create table if not exists unread (root text not null, dir text not null, name text not null, primary key (root, dir, name)) without rowid;
  create table if not exists reads (root text not null, dir text not null, name text not null, key text not null, primary key (root, dir, name)) without rowid;
  -- Files that could not be opened to be read. They are tried again once their root was scanned as a whole.
  create table if not exists unopened (root text not null, dir text not null, name text not null, primary key (root, dir, name)) without rowid;
  -- Files whose thumbnail the service does not have. Without an extension, that of the name counts.
  create table if not exists undrawn (root text not null, dir text not null, name text not null, extension text, primary key (root, dir, name)) without rowid;
  -- Files that could not be opened to be drawn. They are tried again like those that could not be read.
  create table if not exists undrawable (root text not null, dir text not null, name text not null, extension text, primary key (root, dir, name)) without rowid;
  create trigger if not exists file_stored after insert on files
    when new.symlink_target is null and new.quick_hash is not null and exists (select 1 from meta where key = 'reading') begin
    insert or ignore into unread (root, dir, name) values (new.root, new.dir, new.name);
  end;
  create trigger if not exists file_removed after delete on files begin
    delete from unread where root = old.root and dir = old.dir and name = old.name;
    delete from reads where root = old.root and dir = old.dir and name = old.name;
  end;
`;

const columns =
  'dir, name, size, mtime_ns, inode, device, links, ctime_ns, symlink_target, quick_hash, content_hash, policy_version, hash_error, acl, allocated';

export type Store = ReturnType<typeof openStore>;

export function openStore(file: string) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 10000');
  db.exec(schema);
  addColumns(db);
  const cache = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const known = cache.get(text) ?? db.prepare(text);
    cache.set(text, known);
    return known;
  };
  const all = <Row>(text: string, ...values: (string | number | null)[]): Row[] => prepare(text).all(...values) as Row[];
  const get = <Row>(text: string, ...values: (string | number | null)[]): Row | undefined =>
    prepare(text).get(...values) as Row | undefined;
  const run = (text: string, ...values: (string | number | null)[]): number => Number(prepare(text).run(...values).changes);
  const put = (table: 'files' | 'fresh', root: string, row: FileRow): void => {
    run(
      `insert or replace into ${table} (root, ${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      root,
      row.dir,
      row.name,
      row.size,
      row.mtime_ns,
      row.inode,
      row.device,
      row.links,
      row.ctime_ns,
      row.symlink_target,
      row.quick_hash,
      row.content_hash,
      row.policy_version,
      row.hash_error,
      row.acl,
      row.allocated,
    );
  };
  const records = new Map<number, string>();
  const recordOf = (id: number): string => {
    const record = records.get(id) ?? get<{ record: string }>('select record from acls where id = ?', id)?.record;
    if (record === undefined) throw new Error(`The index has no access list ${id}.`);
    records.set(id, record);
    return record;
  };
  const ids = new Map<string, number>();
  return {
    all,
    /** One row after the other, for results that do not fit into memory. */
    each: <Row>(text: string, ...values: (string | number | null)[]): IterableIterator<Row> =>
      prepare(text).iterate(...values) as IterableIterator<Row>,
    get,
    run,
    put,
    columns,
    close: () => db.close(),
    /** Everything in `work` is stored, or nothing. */
    transaction<T>(work: () => T): T {
      db.exec('begin immediate');
      try {
        const result = work();
        db.exec('commit');
        return result;
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
    add({ acl, ...entry }: OutboxEntry): void {
      const text = JSON.stringify(entry);
      const access = acl === undefined ? '' : `,"acl":${acl === null ? 'null' : recordOf(acl)}`;
      run('insert into outbox (entry, added_at) values (?, ?)', `${text.slice(0, -1)}${access}}`, Date.now());
    },
    acl: (id: number): ReplicatedAcl => JSON.parse(recordOf(id)) as ReplicatedAcl,
    /** The id of an access list in this index. */
    aclId(acl: ReplicatedAcl): number {
      const record = JSON.stringify(acl);
      const known = ids.get(record) ?? get<{ id: number }>('select id from acls where record = ?', record)?.id;
      const id = known ?? Number(prepare('insert into acls (record) values (?)').run(record).lastInsertRowid);
      ids.set(record, id);
      return id;
    },
    meta: (key: string): string | null => get<{ value: string }>('select value from meta where key = ?', key)?.value ?? null,
    setMeta: (key: string, value: string): void => void run('insert or replace into meta (key, value) values (?, ?)', key, value),
    pending: (): number => get<{ n: number }>('select count(*) as n from outbox')?.n ?? 0,
    /** For how long the oldest change has been waiting. */
    lagSeconds(): number {
      const oldest = get<{ added_at: number | null }>('select added_at from outbox order by seq limit 1')?.added_at ?? null;
      return oldest === null ? 0 : Math.max(0, (Date.now() - oldest) / 1000);
    },
    /** Checks the file and gives space back to the disk. Nobody else may use the index meanwhile. */
    tidy(): { sound: boolean; bytes_before: number; bytes_after: number } {
      const sound = get<{ quick_check: string }>('pragma quick_check(1)')?.quick_check === 'ok';
      const bytes_before = statSync(file).size;
      if (sound) db.exec('pragma optimize; vacuum; pragma wal_checkpoint(truncate)');
      return { sound, bytes_before, bytes_after: statSync(file).size };
    },
    isSound: (): boolean => get<{ quick_check: string }>('pragma quick_check(1)')?.quick_check === 'ok',
  };
}

/** What an index of an earlier version lacks. */
function addColumns(db: DatabaseSync): void {
  const later: [table: string, column: string][] = [
    ['outbox', 'added_at'],
    ['files', 'acl'],
    ['fresh', 'acl'],
    ['folders', 'acl'],
    ['fresh', 'allocated'],
    ['files', 'allocated'],
  ];
  for (const [table, column] of later) {
    const columns = db.prepare(`pragma table_info(${table})`).all() as { name: string }[];
    if (columns.some(({ name }) => name === column)) continue;
    db.exec(`alter table ${table} add column ${column} integer`);
    // Without its fingerprint the next scan compares a folder file by file, although nothing has changed, and fills the new column.
    if (column === 'allocated') db.exec('update folders set fingerprint = null');
  }
}
