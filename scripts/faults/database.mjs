// Restarts the database under load. A user may see answers that ask for a retry (503, as a problem document), and nothing else; nothing
// that was acknowledged may be lost, and the service must work again without a restart.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '../lib/faults/database.mjs';
import { countsOf, createRandom, itemIds, startLoad } from '../lib/faults/load.mjs';
import { addLibrary, call, check, makeFiles, scanAll, startService, stopService, temporaryFolder, until } from '../lib/faults/service.mjs';

export default async function database({ rounds = 5, files = 300, seed = 1 }) {
  const folder = temporaryFolder('database');
  const [library, configDir] = [join(folder, 'library'), join(folder, 'config')];
  mkdirSync(library);
  makeFiles(library, files);
  let server = await startDatabase(join(folder, 'pg'));
  const env = { SVC_DATABASE_URL: server.url };
  const service = await startService({ configDir, env });
  const { url } = service;
  const { id: libraryId } = await addLibrary(url, library);
  await scanAll(url, libraryId);
  const ids = await itemIds(url, libraryId);
  const losses = [];
  const onAnswer = (kind, { status, type, body }) => {
    if (status === 503 && type.includes('problem+json')) return;
    if (status === 0) losses.push(`${kind}: no answer at all.`);
    else if (status >= 500) losses.push(`${kind}: ${status} ${type.includes('problem+json') ? body?.code : 'without a problem document'}`);
  };
  const load = startLoad({
    url: () => url,
    ids,
    libraryId,
    folder: library,
    kinds: ['edit', 'edit', 'search', 'read', 'read', 'scan'],
    random: createRandom(seed),
    onAnswer,
  });
  let slowest = 0;
  for (let round = 0; round < rounds; round += 1) {
    await sleep(3000);
    await server.stop();
    await sleep(500 + round * 500);
    server = await startDatabase(join(folder, 'pg'));
    const begun = Date.now();
    await until(
      async () => (await call(url, 'PATCH', `/items/${ids[0]}`, { year: 2000 + round })).status === 200,
      'edits to work again',
      60,
    );
    slowest = Math.max(slowest, Date.now() - begun);
    if (service.child.exitCode !== null) losses.push('The service ended.');
  }
  await sleep(2000);
  await load.stop();
  await scanAll(url, libraryId);
  losses.push(...(await load.lost()), ...(await check({ SVC_CONFIG_DIR: configDir, ...env })));
  await stopService(service);
  await server.stop();
  return {
    figures: {
      restarts: rounds,
      'acknowledged edits': load.acknowledged(),
      'slowest recovery': `${(slowest / 1000).toFixed(1)} s after the database was back`,
      answers: countsOf(load.answers),
    },
    losses: [...Map.groupBy(losses, (loss) => loss)].map(([loss, same]) => (same.length === 1 ? loss : `${loss} (${same.length} times)`)),
  };
}
