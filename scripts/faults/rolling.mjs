// Three apps behind HAProxy and four workers on one external PostgreSQL, restarted one after the other while people edit, search and scan. No
// request may fail. One worker has a label, and one library may only be read by workers with it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startBalancer } from '../lib/faults/balancer.mjs';
import { startDatabase } from '../lib/faults/database.mjs';
import { allPaths, countsOf, createRandom, itemIds, startLoad } from '../lib/faults/load.mjs';
import {
  check,
  listFiles,
  makeFiles,
  mustCall,
  runCommand,
  scanAll,
  startService,
  stopService,
  temporaryFolder,
  until,
} from '../lib/faults/service.mjs';

const label = 'east';

export default async function rolling({ rounds = 3, files = 2000, seed = 1 }) {
  const folder = temporaryFolder('rolling');
  const configDir = join(folder, 'config');
  const database = await startDatabase(join(folder, 'pg'));
  const env = { SVC_DATABASE_URL: database.url };
  const settings = { SVC_CONFIG_DIR: configDir, ...env };
  const { code, output } = await runCommand(['bootstrap'], settings);
  if (code !== 0) throw new Error(output);
  const startApp = (port) =>
    startService({ configDir, port, args: ['app'], env: { ...env, SVC_STOP_DELAY_SECONDS: '5', SVC_TRUSTED_PROXIES: '127.0.0.1' } });
  const startWorker = (labels) => startService({ configDir, args: ['worker'], env: { ...env, SVC_WORKER_LABELS: labels } });
  const apps = [await startApp(), await startApp(), await startApp()];
  const labels = ['', '', '', label];
  const workers = [];
  for (const each of labels) workers.push(await startWorker(each));
  const balancer = await startBalancer(
    folder,
    apps.map(({ port }) => port),
  );
  const { url } = balancer;
  const libraries = [
    await addLibrary(url, join(folder, 'anywhere'), files, []),
    await addLibrary(url, join(folder, 'bound'), Math.ceil(files / 2), [label]),
  ];
  for (const { id } of libraries) await scanAll(url, id);

  const losses = [];
  const watch = await watchJobs(database.url, libraries[1].id);
  const [random, stops] = [createRandom(seed), []];
  const onAnswer = (kind, { status, body, error }) => {
    // A scan that is already running is not a failure.
    if (status >= 200 && status < 400) return;
    if (kind === 'scan' && status === 409) return;
    losses.push(`${kind} failed with ${status}: ${JSON.stringify(body?.code ?? error?.cause?.code ?? error?.message ?? null)}`);
  };
  const loadOf = async (library, kinds) =>
    startLoad({
      url: () => url,
      ids: await itemIds(url, library.id),
      libraryId: library.id,
      folder: library.folder,
      kinds,
      random,
      onAnswer,
    });
  const loads = [
    await loadOf(libraries[0], ['edit', 'edit', 'search', 'search', 'read', 'read', 'scan']),
    await loadOf(libraries[1], ['edit', 'scan']),
  ];
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, app] of apps.entries()) {
      stops.push(await stopService(app));
      apps[at] = await startApp(app.port);
      await until(async () => (await balancer.downs()).length === 0, 'HAProxy to use the app again');
    }
    for (const [at, worker] of workers.entries()) {
      await stopService(worker);
      workers[at] = await startWorker(labels[at]);
      // A worker that has just started registers itself before it takes jobs.
      await until(async () => (await watch.workers()) >= workers.length, 'the worker to register');
      await sleep(500);
    }
  }
  for (const load of loads) await load.stop();
  for (const { id } of libraries) await scanAll(url, id, 900);
  for (const { id, folder: place } of libraries) losses.push(...(await missing(url, id, place)));
  for (const load of loads) losses.push(...(await load.lost()));
  const { jobs, foreign } = await watch.stop();
  losses.push(...foreign.map((worker) => `The worker ${worker} without the label ${label} ran a job of the library that needs it.`));
  if (jobs === 0) losses.push('No job of the library with a label was seen.');
  losses.push(...(await check(settings)));
  await balancer.stop();
  for (const service of [...workers, ...apps]) await stopService(service);
  await database.stop();
  const requests = loads.flatMap(({ answers }) => [...answers.values()]).reduce((sum, count) => sum + count, 0);
  return {
    figures: {
      restarts: `${rounds * apps.length} apps, ${rounds * workers.length} workers`,
      requests: `${requests}, of which failed ${losses.filter((loss) => / failed with /.test(loss)).length}`,
      answers: loads.map(({ answers }) => countsOf(answers)).join('; '),
      'acknowledged edits': loads.reduce((sum, load) => sum + load.acknowledged(), 0),
      'slowest stop of an app': `${Math.max(...stops).toFixed(1)} s`,
      'jobs of the bound library': `${jobs}, all by the worker with the label: ${foreign.length === 0}`,
    },
    losses,
  };
}

async function addLibrary(url, folder, files, worker_labels) {
  mkdirSync(folder);
  makeFiles(folder, files);
  const { id } = await mustCall(url, 'POST', '/libraries', { name: folder.split('/').at(-1), root_path: folder, worker_labels });
  return { id, folder };
}

async function missing(url, id, folder) {
  const paths = await allPaths(url, id);
  const known = new Set(paths);
  return [
    ...listFiles(folder)
      .filter((path) => !known.has(path))
      .map((path) => `${path} is not in the catalog.`),
    ...(paths.length === known.size ? [] : [`${paths.length - known.size} files are in the catalog twice.`]),
  ];
}

/** Notes which workers run the jobs of a library; the rows of workers that have ended are deleted, so it looks all the time. */
async function watchJobs(databaseUrl, libraryId) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const labelsOf = new Map();
  const ran = new Map();
  let stopped = false;
  const look = async () => {
    const { rows: workers } = await client.query('select id, labels from workers');
    for (const worker of workers) labelsOf.set(worker.id, worker.labels);
    const { rows } = await client.query('select id, worker_id from jobs where place = $1 and worker_id is not null', [libraryId]);
    for (const { id, worker_id } of rows) ran.set(id, worker_id);
    return workers.length;
  };
  const loop = (async () => {
    while (!stopped) {
      await look();
      await sleep(300);
    }
  })();
  return {
    workers: async () => Number((await client.query('select count(*) from workers')).rows[0].count),
    async stop() {
      stopped = true;
      await loop;
      await client.end();
      const foreign = [...new Set(ran.values())].filter((worker) => !labelsOf.get(worker)?.includes(label));
      return { jobs: ran.size, foreign };
    },
  };
}
