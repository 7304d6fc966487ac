import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startIndexedService } from '../api/indexed-service.ts';
import { nextMessage } from '../api/service.ts';
import type { Row } from '../row.ts';

const items = 5000;
const requests = 400;
const paths = ['/search?q=report', '/search?q=har&facets=false&limit=20', '/items?limit=50', '/libraries'];

/** Response times of the app while another process embeds, as the worker does, against those of the same app before. */
export async function measureBackfill(model: string): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-backfill-'));
  const { database, client: ask, close } = await startIndexedService(folder, items);
  const stops: (() => void)[] = [];
  try {
    await responseTimes(ask);
    const quiet = await responseTimes(ask);
    const backfill = fork(new URL('backfill-process.ts', import.meta.url), [JSON.stringify(database.address), model]);
    stops.push(() => backfill.kill());
    await nextMessage(backfill);
    let embedded = 0;
    // At least one batch of items is embedded meanwhile.
    const busy = await responseTimes(ask, async () => {
      const { rows } = await sql<{ vectors: number }>`select count(*)::integer as vectors from item_vectors`.execute(database.db);
      embedded = rows[0]?.vectors ?? 0;
      return embedded > 0;
    });
    return {
      name: 'response time during the embedding of items, p99',
      value: busy,
      unit: 'ms',
      peer: `${quiet} ms while quiet`,
      ratio: Math.round((busy / quiet) * 100) / 100,
      limit: 'at most twice as long',
      ok: busy <= 2 * quiet,
      detail: `requests one after the other; ${embedded} items were embedded meanwhile`,
    };
  } finally {
    for (const stop of stops) stop();
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** p99 in milliseconds of a number of requests, or of up to ten times as many until something has happened. */
async function responseTimes(ask: (path: string) => Promise<number>, hasHappened = async () => true): Promise<number> {
  const times: number[] = [];
  do {
    for (let turn = 0; turn < requests; turn++) {
      const started = performance.now();
      await ask(paths[turn % paths.length] ?? '');
      times.push(performance.now() - started);
    }
  } while (!(await hasHappened()) && times.length < requests * 10);
  times.sort((a, b) => a - b);
  return Math.round((times[Math.floor(times.length * 0.99)] ?? Number.NaN) * 100) / 100;
}
