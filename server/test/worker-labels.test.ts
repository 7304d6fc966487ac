import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';
import { startCommand, stopService, temporaryFolder, until } from './service.ts';

const place = temporaryFolder();
let t: TestApp;
const running: ReturnType<typeof startCommand>[] = [];

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  for (const worker of running) await stopService(worker);
  await t.close();
  place.remove();
});

/** A real worker process on the database of the app. */
function startWorker(labels: string): void {
  const { host, port, user, password, database } = t.deps.database.address;
  const secret = password ? `:${encodeURIComponent(password)}` : '';
  running.push(
    startCommand(['worker'], {
      SVC_DATABASE_URL: `postgres://${user}${secret}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
      SVC_CONFIG_DIR: t.configDir,
      SVC_STOP_GRACE_SECONDS: '5',
      SVC_WORKER_LABELS: labels,
      // A busy test machine would slow reading down.
      SVC_EXTRACT_BACKPRESSURE: 'false',
    }),
  );
}

function folderOf(name: string): string {
  const folder = path.join(place.folder, name);
  mkdirSync(folder);
  for (let n = 0; n < 5; n += 1) writeFileSync(path.join(folder, `${n}.txt`), `${name} ${n}`);
  return folder;
}

async function addLibrary(name: string, worker_labels: string[]): Promise<string> {
  const made = await t.request('POST', '/libraries', { name, root_path: folderOf(name), worker_labels });
  expect(made.statusCode, made.body).toBe(201);
  return (made.json() as { id: string }).id;
}

interface Shown {
  worker_labels: string[];
  worker_missing: string | null;
  last_scan: { status: string; seen: number } | null;
}
const show = async (id: string): Promise<Shown> => (await t.request('GET', `/libraries/${id}`)).json() as Shown;
const workersOf = async (library: string): Promise<string[]> => {
  const { rows } = await sql<{
    labels: string;
  }>`select distinct array_to_string(w.labels, ',') as labels from jobs j join workers w on w.id = j.worker_id
    where j.place = ${library} and j.state in ('doing', 'succeeded')`.execute(t.deps.db);
  return rows.map(({ labels }) => labels);
};
const isRead = async (library: string): Promise<boolean> => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from items where library_id = ${library} and extracted_key is not null`.execute(t.deps.db);
  return rows[0]!.n === 5;
};

test('scans and reading of a library with labels run only on workers with one of them, and wait visibly until one is there', {
  timeout: 240_000,
}, async () => {
  const bound = await addLibrary('bound', ['nas', 'nas-2']);
  const free = await addLibrary('free', []);
  for (const id of [bound, free]) expect((await t.request('POST', `/libraries/${id}/scan`)).statusCode).toBe(202);
  startWorker('');
  await until(() => isRead(free), 'the library without labels to be read', 120_000);
  const waiting = await show(bound);
  expect(waiting.last_scan).toMatchObject({ status: 'running', seen: 0 });
  expect(waiting.worker_missing).toMatch(
    /^Not yet: no running worker has one of the labels "nas", "nas-2"\. Start a worker with SVC_WORKER_LABELS=nas /,
  );
  expect(await workersOf(bound)).toEqual([]);

  startWorker('nas-2, other');
  await until(() => isRead(bound), 'the library with labels to be read', 120_000);
  expect(await workersOf(bound)).toEqual(['nas-2,other']);
  expect(await show(bound)).toMatchObject({ worker_missing: null, last_scan: { status: 'finished', seen: 5 } });
});

test('a change of labels counts for jobs that wait already', { timeout: 120_000 }, async () => {
  const library = await addLibrary('changed', ['elsewhere']);
  await t.request('POST', `/libraries/${library}/scan`);
  expect((await show(library)).worker_missing).toContain('"elsewhere"');
  expect((await t.request('PATCH', `/libraries/${library}`, { worker_labels: ['nas-2'] })).statusCode).toBe(200);
  await until(() => isRead(library), 'the library to be read', 120_000);
  expect(await workersOf(library)).toEqual(['nas-2,other']);
});

test('a folder that is mounted on other machines only can be a library if the library has a label', async () => {
  const root_path = path.join(place.folder, 'not here');
  expect((await t.request('POST', '/libraries', { name: 'Far', root_path })).json()).toMatchObject({ code: 'library_root_missing' });
  const made = await t.request('POST', '/libraries', { name: 'Far', root_path, worker_labels: ['far'] });
  expect(made.statusCode, made.body).toBe(201);
  expect(made.json()).toMatchObject({ root_path, worker_labels: ['far'] });
  const wrong = await t.request('POST', '/libraries', { name: 'Wrong', root_path, worker_labels: ['Not A Label'] });
  expect(wrong.statusCode).toBe(422);
});
