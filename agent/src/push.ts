/** Sends the outbox in order. An entry leaves it only when the service has confirmed it. */
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { replicationLimits } from '@catalog/protocol';
import { reportFolders } from './access.ts';
import { type Client, ServiceProblem } from './client.ts';
import { entryOf, type FileRow, type Store } from './store.ts';

const compress = promisify(zstdCompress);
const maxBatchBytes = 2 * 1024 * 1024;
/** What fits into one packet is sent as it is. */
const minCompressedBytes = 1400;

interface PushResult {
  sent: number;
  quarantined: number;
  bytes: number;
  /** Seconds to wait before sending more, because the service asks for it. */
  waitSeconds: number;
}

/** Sends one batch. Returns null when the outbox is empty. */
async function pushBatch(store: Store, client: Client, signal?: AbortSignal): Promise<PushResult | null> {
  const rows: { seq: number; entry: string }[] = [];
  let bytes = 0;
  for (const row of store.all<{ seq: number; entry: string }>(
    'select seq, entry from outbox order by seq limit ?',
    replicationLimits.entries,
  )) {
    bytes += row.entry.length;
    if (rows.length > 0 && bytes > maxBatchBytes) break;
    rows.push(row);
  }
  const last = rows.at(-1);
  if (!last) return null;
  const lines = rows.map(({ seq, entry }) => `{"seq_no":${seq},${entry.slice(1)}\n`).join('');
  try {
    const plain = Buffer.from(lines);
    const isSmall = plain.length < minCompressedBytes;
    const body = isSmall ? plain : await compress(plain);
    const answer = await client.send('POST', '/replication-batch', {
      body,
      headers: { 'content-type': 'application/x-ndjson', ...(isSmall ? {} : { 'content-encoding': 'zstd' }) },
      timeoutSeconds: 120,
      ...(signal ? { signal } : {}),
    });
    store.run('delete from outbox where seq <= ?', last.seq);
    const { quarantined } = answer.body as { quarantined: number };
    return { sent: rows.length, quarantined, bytes: body.length, waitSeconds: Number(answer.headers.get('x-svc-slow-down') ?? 0) };
  } catch (error) {
    if (!(error instanceof ServiceProblem) || error.code !== 'sequence_conflict') throw error;
    moveCursor(store, Number(error.members['expected_seq_no']));
    return { sent: 0, quarantined: 0, bytes: 0, waitSeconds: 0 };
  }
}

/**
 * The service expects another number. Entries it already has are dropped. When it expects one that this outbox cannot have, because one of
 * the two was restored from a backup, all files are reported again under the numbers it expects.
 */
function moveCursor(store: Store, expected: number): void {
  if (!Number.isSafeInteger(expected) || expected < 1) throw new Error('The service did not say which entry it expects.');
  store.transaction(() => {
    const first = store.get<{ seq: number }>('select min(seq) as seq from outbox')?.seq ?? 0;
    const next = (store.get<{ seq: number }>("select seq from sqlite_sequence where name = 'outbox'")?.seq ?? 0) + 1;
    if (expected > first && expected <= next) {
      store.run('delete from outbox where seq < ?', expected);
      // Usually an answer was lost. A copy of this agent may have used the numbers instead, so a comparison follows soon.
      store.run("delete from meta where key like 'reconciled %'");
      return;
    }
    if (expected > next) store.setMeta('foreign_numbers', new Date().toISOString());
    const deletions = store.all<{ entry: string; added_at: number | null }>(
      `select entry, added_at from outbox where entry like '{"event_type":"deleted"%' order by seq`,
    );
    store.run('delete from outbox');
    store.run("update sqlite_sequence set seq = ? where name = 'outbox'", expected - 1);
    for (const { entry, added_at } of deletions) store.run('insert into outbox (entry, added_at) values (?, ?)', entry, added_at);
    for (const { path } of store.all<{ path: string }>('select path from roots')) {
      reportFolders(store, path);
      for (const row of store.all<FileRow>(`select ${store.columns} from files where root = ?`, path))
        store.add(entryOf(path, 'modified', row));
    }
    // What was read is reported again too.
    store.run('delete from reads');
    if (store.meta('reading') !== null) store.setMeta('reading', 'again');
  });
}

/** Sends everything, within the given rate. Returns the number of entries sent. */
export async function pushAll(
  store: Store,
  client: Client,
  { wait, signal, bytesPerSecond = 0 }: { wait: (seconds: number) => Promise<void>; signal?: AbortSignal; bytesPerSecond?: number },
): Promise<number> {
  let total = 0;
  for (;;) {
    const result = await pushBatch(store, client, signal);
    if (result === null) return total;
    total += result.sent;
    const pause = Math.max(result.waitSeconds, bytesPerSecond > 0 ? result.bytes / bytesPerSecond : 0);
    if (pause > 0) await wait(pause);
  }
}
