// Two apps and three workers on one external PostgreSQL; every worker is killed in turn while a library is scanned and read. Every file
// must be catalogued exactly once, and every edit that was acknowledged must remain.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '../lib/faults/database.mjs';
import { allPaths, countsOf, createRandom, itemIds, startLoad } from '../lib/faults/load.mjs';
import {
  addLibrary,
  call,
  check,
  listFiles,
  makeFiles,
  runCommand,
  scanAll,
  startService,
  stopService,
  temporaryFolder,
  until,
} from '../lib/faults/service.mjs';

export default async function workers({ rounds = 2, files = 2000, seed = 1 }) {
  const folder = temporaryFolder('workers');
  const [library, configDir] = [join(folder, 'library'), join(folder, 'config')];
  mkdirSync(library);
  makeFiles(library, files);
  const database = await startDatabase(join(folder, 'pg'));
  const env = { SVC_DATABASE_URL: database.url, SVC_JOB_STALL_HEARTBEAT_SECONDS: '10' };
  const settings = { SVC_CONFIG_DIR: configDir, ...env };
  const { code, output } = await runCommand(['bootstrap'], settings);
  if (code !== 0) throw new Error(output);
  const apps = [await startService({ configDir, env, args: ['app'] }), await startService({ configDir, env, args: ['app'] })];
  const startWorker = () => startService({ configDir, env, args: ['worker'] });
  const team = [await startWorker(), await startWorker(), await startWorker()];
  const [{ url }] = apps;
  const { id: libraryId } = await addLibrary(url, library);
  await call(url, 'POST', `/libraries/${libraryId}/scan`);
  await until(async () => (await allPaths(url, libraryId)).length > 0, 'the first files');
  const ids = await itemIds(url, libraryId);
  const random = createRandom(seed);
  const load = startLoad({
    url: () => apps[Math.floor(random() * 2)].url,
    ids,
    libraryId,
    folder: library,
    kinds: ['edit', 'search', 'read', 'scan'],
    random,
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const position of team.keys()) {
      await sleep(4000);
      team[position].child.kill('SIGKILL');
      await team[position].ended;
      team[position] = await startWorker();
    }
  }
  await load.stop();
  await call(url, 'POST', '/system/jobs/reap');
  await scanAll(url, libraryId, 900);
  const expected = listFiles(library);
  const paths = await allPaths(url, libraryId);
  const known = new Set(paths);
  const losses = [
    ...expected.filter((path) => !known.has(path)).map((path) => `${path} is not in the catalog.`),
    ...(paths.length === known.size ? [] : [`${paths.length - known.size} files are in the catalog twice.`]),
    ...(await load.lost()),
    ...(await check(settings)),
  ];
  for (const service of [...team, ...apps]) await stopService(service);
  await database.stop();
  return {
    figures: {
      'workers killed': rounds * team.length,
      files: `${expected.length} on disk, ${paths.length} in the catalog`,
      duplicates: paths.length - known.size,
      'acknowledged edits': load.acknowledged(),
      answers: countsOf(load.answers),
    },
    losses,
  };
}
