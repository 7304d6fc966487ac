import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maintenanceTasks } from '../src/assembly/maintenance.ts';
import { createScanRun, performScan, scanDependencies } from '../src/catalog/scan/index.ts';
import { queueExtraction } from '../src/content/pipeline/index.ts';
import { openExtraction } from '../src/content/pipeline/tasks.ts';
import { outboundCounts } from '../src/platform/outbound/index.ts';
import { parseCron, previousOccurrence } from '../src/platform/queue/index.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';
import { performTask } from './perform.ts';

let t: IndexedApp;
/** Every client connection of this process, with the database's own left out. */
const connections: string[] = [];
/** What earlier tests of this process sent. */
const sentBefore = outboundCounts();
const { connect } = net.Socket.prototype;

beforeAll(async () => {
  t = await createIndexedApp();
  const { host, port } = t.deps.database.address as { host: string; port: number };
  net.Socket.prototype.connect = function record(this: net.Socket, ...args: unknown[]) {
    // The first argument may be the list of all arguments, after net.connect has normalised them.
    const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as [unknown, unknown];
    const options = (typeof first === 'object' && first !== null ? first : { port: first, host: second }) as {
      path?: string;
      host?: string;
      port?: number | string;
    };
    const socketFile = options.path ?? (String(options.port).startsWith('/') ? String(options.port) : null);
    const isDatabase = socketFile ? socketFile.startsWith(`${host}/`) : Number(options.port) === port && options.host === host;
    if (!isDatabase) connections.push(socketFile ?? `${options.host}:${options.port}`);
    return Reflect.apply(connect, this, args) as net.Socket;
  } as typeof connect;
});
afterAll(async () => {
  net.Socket.prototype.connect = connect;
  await t.close();
});

test('a default service makes no outbound connection during an hour of work', async () => {
  const root = path.join(t.configDir, 'media');
  mkdirSync(path.join(root, 'letters'), { recursive: true });
  writeFileSync(path.join(root, 'letters', 'one.html'), '<img src="http://example.org/pixel.png"><p>Dear Ada</p>');
  writeFileSync(path.join(root, 'two.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://example.org/a.png"/></svg>');
  writeFileSync(path.join(root, 'three.txt'), 'https://example.org/');
  const { rows } = await sql<{ id: string }>`insert into libraries (name, root_path) values ('Media', ${root}) returning id`.execute(
    t.deps.db,
  );
  const library = rows[0]!.id;
  const run = await createScanRun(t.deps.db, { libraryId: library, trigger: 'manual', forceEmpty: false });
  const scans = scanDependencies({ db: t.deps.db, queueExtraction: async (db, id, ids) => void (await queueExtraction(db, id, ids)) });
  expect((await performScan(scans, run.id)).status).toBe('finished');
  const extraction = openExtraction(t.deps);
  try {
    await performTask(t.deps, extraction.tasks[0]!, { library_id: library });
  } finally {
    extraction.stop();
  }
  await t.waitForIndex();

  const tasks = maintenanceTasks(t.deps);
  const performed = new Set<string>();
  for (let minute = 0; minute < 60; minute++) {
    const now = new Date(Date.UTC(2026, 0, 5, 4, minute));
    for (const { key, defaultCron, task } of tasks) {
      if (!defaultCron || previousOccurrence(parseCron(defaultCron), now)?.getTime() !== now.getTime()) continue;
      // Tasks of every minute and every five minutes repeat the same work; three times show as much as sixty.
      if ([...performed].filter((each) => each.startsWith(`${key} `)).length >= 3) continue;
      performed.add(`${key} ${minute}`);
      await performTask(t.deps, task, {});
    }
  }
  expect(performed.size).toBeGreaterThan(10);
  for (const url of ['/search?q=ada', '/stats', '/system/about', '/system/disk', '/libraries', '/version', '/system/jobs/summary'])
    expect((await t.request('GET', url)).statusCode, url).toBe(200);
  expect(connections).toEqual([]);
  expect(outboundCounts()).toEqual(sentBefore);
}, 300_000);

test('the recorder sees a connection, so the rule above can fail', async () => {
  const server = net.createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => net.connect(port, '127.0.0.1').once('close', resolve).resume());
  server.close();
  expect(connections.splice(0)).toEqual([`127.0.0.1:${port}`]);
});
