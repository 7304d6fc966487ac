import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Client } from '../../agent/src/client.ts';
import { reconcileRoot } from '../../agent/src/reconcile.ts';
import { openStore } from '../../agent/src/store.ts';
import { applyFolders, compareBuckets, compareFolders, finish, start } from '../../server/src/fleet/reconcile/service.ts';
import type { Db } from '../../server/src/platform/database/index.ts';
import type { Row } from '../row.ts';

const root = '/data/bench';
const differences = 10;
const filesPerFolder = 20;
const actor = { principalId: null, ip: '127.0.0.1' };

/** A million files in 50,000 folders on both sides, ten of which differ: what the agent sends, and what the service computes. */
export async function benchReconcile(db: Db, folder: string, agentId: string, files: number): Promise<Row[]> {
  const library = await fill(db, agentId, files);
  const store = openStore(join(folder, 'index.sqlite'));
  const manifestBytes = fillIndex(store, files);
  await sql`update items set size = size + 1 where library_id = ${library} and size % ${Math.floor(files / differences)} = 7`.execute(db);
  // What follows such a load is not what is measured.
  for (const table of ['item_rows', 'folders']) await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
  await sql`vacuum analyze item_rows, folders`.execute(db);
  await sql`checkpoint`.execute(db);
  const before = await cpuSeconds(db);
  let central = 0;
  const client: Client = {
    clockOffset: () => 0,
    async send(_method, path, { body } = {}) {
      const began = process.cpuUsage();
      const answer = JSON.parse(JSON.stringify(await answerTo(db, agentId, path, JSON.parse(JSON.stringify(body)))));
      const { user, system } = process.cpuUsage(began);
      central += (user + system) / 1e6;
      return { status: 200, headers: new Headers(), body: answer };
    },
  };
  const result = await reconcileRoot(store, client, root);
  const seconds = (await cpuSeconds(db)) - before + central;
  store.close();
  const share = result.sent_bytes / manifestBytes;
  const right = result.status === 'reconciled' && result.upserted === differences;
  return [
    {
      name: `bytes sent to find ${differences} differences in ${files} files`,
      value: Math.round(result.sent_bytes / 1000),
      unit: 'kB',
      peer: `full list ${Math.round(manifestBytes / 1000)} kB`,
      ratio: Math.round(share * 10_000) / 10_000,
      limit: 'at most 1 % of a full list',
      ok: right && share <= 0.01,
      detail: `${result.upserted} corrected`,
    },
    {
      name: `processor time of the service for it`,
      value: Math.round(seconds * 100) / 100,
      unit: 's',
      peer: '',
      ratio: null,
      limit: 'at most 2 s',
      ok: right && seconds <= 2,
      detail: `of which ${Math.round(central * 100) / 100} s outside the database`,
    },
  ];
}

interface Sent {
  library_ref: string;
  digest: string;
  row_count: number;
  seq_no: number;
  folders: never[];
  path: string;
  digests: string[];
}

async function answerTo(db: Db, id: string, path: string, body: Sent): Promise<unknown> {
  const agent = { id } as Parameters<typeof start>[1];
  const [, , session = '', step = ''] = path.split('/');
  if (session === 'start')
    return start(db, agent, { libraryRef: body.library_ref, digest: body.digest, files: body.row_count, seqNo: body.seq_no });
  if (step === 'folders') return compareFolders(db, agent, session, body.folders);
  if (step === 'buckets') return { differing: await compareBuckets(db, agent, session, body.path, body.digests) };
  if (step === 'rows') return applyFolders(db, agent, session, body.folders);
  return finish(db, agent, session, actor);
}

async function fill(db: Db, agentId: string, files: number): Promise<string> {
  const folders = Math.ceil(files / filesPerFolder);
  const { rows } = await sql<{
    id: string;
  }>`insert into all_libraries (name, root_path, source_agent_id) values ('bench', ${root}, ${agentId})
    returning id`.execute(db);
  const library = String(rows[0]?.id);
  await db.connection().execute(async (connection) => {
    // Counts, index and change log are not what is measured.
    await sql`set session_replication_role = replica`.execute(connection);
    await sql`insert into folders (library_id, rel_path, path)
      select ${library}, 'part ' || n / 100 || '/folder ' || n % 100, (${library.replaceAll('-', '')} || '.f' || n)::ltree from generate_series(0, ${folders - 1}::integer) n`.execute(
      connection,
    );
    await sql`insert into items (library_id, folder_id, filename, extension, size, mtime_ns, quick_hash, content_hash, policy_version)
      select ${library}, f.id, 'file ' || n || '.jpg', 'jpg', n, 1700000000000000000,
        lpad(to_hex(n), 16, '0'), lpad(to_hex(n), 64, '0'), 'h1:full'
      from generate_series(0, ${files - 1}::integer) n
      join folders f on f.library_id = ${library} and f.rel_path = 'part ' || (n / ${filesPerFolder}::integer) / 100 || '/folder ' || (n / ${filesPerFolder}::integer) % 100`.execute(
      connection,
    );
    await sql`set session_replication_role = origin`.execute(connection);
  });
  return library;
}

/** The same files in the agent's index. Returns the bytes of a full list. */
function fillIndex(store: ReturnType<typeof openStore>, files: number): number {
  let bytes = 0;
  store.transaction(() => {
    store.run('insert into roots (path, listed) values (?, 1)', root);
    for (let n = 0; n < files; n += 1) {
      const folder = Math.floor(n / filesPerFolder);
      const row = {
        dir: `part ${Math.floor(folder / 100)}/folder ${folder % 100}`,
        name: `file ${n}.jpg`,
        size: n,
        mtime_ns: '1700000000000000000',
        inode: String(n),
        device: 1,
        links: 1,
        ctime_ns: null,
        symlink_target: null,
        quick_hash: n.toString(16).padStart(16, '0'),
        content_hash: n.toString(16).padStart(64, '0'),
        policy_version: 'h1:full',
        hash_error: null,
        acl: null,
        allocated: null,
      };
      store.put('files', root, row);
      const { size, mtime_ns, quick_hash, content_hash } = row;
      bytes += JSON.stringify({ rel_path: `${row.dir}/${row.name}`, size, mtime_ns, quick_hash, content_hash }).length + 1;
    }
  });
  return bytes;
}

/** Processor time of the database: its running processes, and those that have ended. */
async function cpuSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const stat = (pid: number | string): string[] => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    } catch {
      // The process has ended.
      return [];
    }
  };
  const postmaster = stat(rows[0]?.pid ?? 0)[1] ?? '';
  const [, , , , , , , , , , , user = '0', system = '0', endedUser = '0', endedSystem = '0'] = stat(postmaster);
  let ticks = Number(user) + Number(system) + Number(endedUser) + Number(endedSystem);
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const fields = stat(pid);
    if (fields[1] === postmaster) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}
