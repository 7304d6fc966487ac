import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { pump } from '../server/src/insight/alerts/pump.ts';
import { connect, type Db, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { createLog } from '../server/src/platform/log/index.ts';
import { createOutbound } from '../server/src/platform/outbound/index.ts';
import { settingsForTests } from '../server/src/settings/index.ts';
import type { Bench, Row } from './row.ts';
import { scanOnce } from './scan/scan-once.ts';
import { makeTree } from './scan/tree.ts';

const rounds = 4;
const settings = settingsForTests({ SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' });
const silent = createLog({ name: 'bench', level: 'critical', sinks: [] });
const hourMs = 3_600_000;

/**
 * A scan in which every file has changed, 100,000 at scale 1: with ten rules that match every file and a pump that runs once a minute as in
 * the service, and without. Every scan leaves dead rows to the next one, so the rounds go without-with, with-without and so on, files get about
 * the same size each time, and the best of each kind counts.
 */
const bench: Bench = async ({ scale }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-alerts-'));
  const root = path.join(folder, 'tree');
  const folders = Math.max(5, Math.round(1000 * scale));
  const files = folders * 100;
  const server = await startEmbedded({ folder: path.join(folder, 'pg'), settings: { shared_buffers: '256MB' } });
  const address = { host: server.host, port: server.port, user: server.user, password: server.password, database: server.database };
  const database = connect(address, { max: 4 });
  const { db } = database;
  const receiver = await startReceiver();
  try {
    await migrate(database.pool);
    makeTree(root, folders);
    const { id } = await db.insertInto('libraries').values({ name: 'bench', root_path: root }).returning('id').executeTakeFirstOrThrow();
    const scanSeconds = async () => (await scanOnce(address, id)).seconds;
    await scanSeconds();
    const [without, withRules]: number[][] = [[], []];
    const scanQuietly = async (): Promise<void> => {
      await sql`truncate alert_rules, alert_inbox cascade`.execute(db);
      changeEveryFile(root);
      without?.push(await scanSeconds());
    };
    const scanWatched = async (): Promise<void> => {
      await sql`truncate alert_inbox`.execute(db);
      await addRules(db, receiver.port);
      changeEveryFile(root);
      withRules?.push(await pumpDuring(db, scanSeconds()));
    };
    for (let turn = 0; turn < rounds; turn += 1)
      for (const scan of turn % 2 === 0 ? [scanQuietly, scanWatched] : [scanWatched, scanQuietly]) await scan();
    const [quiet, watched] = [Math.min(...(without ?? [])), Math.min(...(withRules ?? []))];

    // One rule with an hourly digest from here on: what one scan of every file sends, and what the pump does for few and for many events.
    const small = await digestOf(db, receiver, 1000, id);
    const large = await digestOf(db, receiver, files, id);
    const rows: Row[] = [
      {
        name: `scan of ${files.toLocaleString('en')} changed files with ten matching rules`,
        value: round(watched),
        unit: 's',
        peer: `${round(quiet)} s without rules`,
        ratio: round(watched / quiet),
        limit: 'at most 1.05 times',
        ok: watched <= quiet * 1.05,
        detail: `all: ${without?.map(round).join(', ')} s without, ${withRules?.map(round).join(', ')} s with rules`,
      },
      {
        name: `messages for ${files.toLocaleString('en')} file events of one scan`,
        value: large.messages,
        unit: 'messages',
        peer: '',
        ratio: null,
        limit: 'exactly 1',
        ok: large.messages === 1 && large.count === files,
        detail: `the message counts ${large.count} events`,
      },
      {
        name: `pump that sends a group of ${files.toLocaleString('en')} events`,
        value: round(large.sendMs),
        unit: 'ms',
        peer: `${round(small.sendMs)} ms for a group of 1,000 events`,
        ratio: round(large.sendMs / small.sendMs),
        limit: 'at most 3 times',
        ok: large.sendMs <= small.sendMs * 3,
        detail: `reading the events took ${round(large.readMs)} ms, ${round((large.readMs * 1000) / files)} µs each`,
      },
    ];
    return { rows };
  } finally {
    receiver.close();
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
export default bench;

interface Receiver {
  port: number;
  messages: { count: number }[];
  close(): void;
}

async function startReceiver(): Promise<Receiver> {
  const messages: { count: number }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      messages.push(JSON.parse(body) as { count: number });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, messages, close: () => void server.close() };
}

let contents = 100;
/** Gives every file below a folder new content, of another size than before. */
function changeEveryFile(root: string): void {
  contents += 1;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) writeFileSync(path.join(entry.parentPath, entry.name), `${contents} ${entry.name} `.padEnd(contents, '.'));
}

async function addRules(
  db: Db,
  port: number,
  { rules = 10, digest = null }: { rules?: number; digest?: string | null } = {},
): Promise<void> {
  await sql`truncate alert_rules, alert_channels cascade`.execute(db);
  const config = JSON.stringify({ url: `http://127.0.0.1:${port}/`, webhook_format: 'generic' });
  await sql`with channel as (insert into alert_channels (name, type, config) values ('bench', 'webhook', ${config}::jsonb) returning id)
    insert into alert_rules (name, event_types, channel_ids, group_wait_s, digest_window)
    select 'Rule ' || n, '{created,modified}', array[channel.id], 0, ${digest} from channel, generate_series(1, ${rules}::int) n`.execute(
    db,
  );
}

const pumpAt = (db: Db, now: Date): Promise<void> =>
  pump({ db, log: silent, settings, now }, { outbound: createOutbound({ settings, env: {} }), matchSearch: async () => [] });

async function pumpDuring<T>(db: Db, work: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const pumping = (async () => {
    while (!stop.signal.aborted) {
      await pumpAt(db, new Date());
      await setTimeout(60_000, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  try {
    return await work;
  } finally {
    stop.abort();
    await pumping;
  }
}

/** Lets one run of many events pass through a digest. Reading and sending are separate runs of the pump, an hour apart. */
async function digestOf(db: Db, receiver: Receiver, events: number, libraryId: string) {
  await sql`truncate alert_inbox`.execute(db);
  await addRules(db, receiver.port, { rules: 1, digest: 'hourly' });
  const { rows } = await sql<{
    id: string;
  }>`insert into scan_runs (library_id, status) values (${libraryId}, 'running') returning id`.execute(db);
  const run = rows[0]?.id;
  await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
    select ${run}, ${libraryId}, uuidv7(), 'changed', 'many/' || n || '.jpg' from generate_series(1, ${events}::int) n`.execute(db);
  await sql`update scan_runs set settled = true, status = 'finished' where id = ${run}`.execute(db);
  receiver.messages.length = 0;
  const now = new Date();
  const readMs = await timed(() => pumpAt(db, now));
  const sendMs = await timed(() => pumpAt(db, new Date(now.getTime() + hourMs)));
  await pumpAt(db, new Date(now.getTime() + 3 * hourMs));
  return { readMs, sendMs, messages: receiver.messages.length, count: receiver.messages[0]?.count ?? 0 };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const round = (value: number): number => Number(value.toPrecision(3));
