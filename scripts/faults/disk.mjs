// Fills the disk of the data folder under load and frees it again. Writes must fail with a reason, nothing acknowledged may be lost, and the
// service must work again without a restart. Needs root for a small file system in memory.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countsOf, createRandom, itemIds, startLoad } from '../lib/faults/load.mjs';
import { addLibrary, call, check, makeFiles, scanAll, startService, stopService, temporaryFolder, until } from '../lib/faults/service.mjs';

export default async function disk({ rounds = 2, files = 300, seed = 1 }) {
  if (process.getuid() !== 0) throw new Error('This run mounts a small file system. Start it as root.');
  const folder = temporaryFolder('disk');
  const [library, configDir] = [join(folder, 'library'), join(folder, 'config')];
  for (const path of [library, configDir]) mkdirSync(path);
  makeFiles(library, files);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=900m,mode=711', 'catalog-faults', configDir], { encoding: 'utf8' });
  if (mounted.status !== 0) throw new Error(`The small file system was not mounted: ${mounted.stderr}`);
  process.prependOnceListener('exit', () => spawnSync('umount', ['-l', configDir]));
  const service = await startService({ configDir });
  const { url } = service;
  const { id: libraryId } = await addLibrary(url, library);
  await scanAll(url, libraryId);
  const ids = await itemIds(url, libraryId);
  const losses = [];
  let isFull = false;
  let refused = 0;
  const onAnswer = (kind, { status, type, body }) => {
    const reasoned = (status === 507 || status === 503) && type.includes('problem+json');
    if (reasoned) refused += 1;
    if (status >= 500 && !reasoned)
      losses.push(`${kind}: ${status} ${body?.code ?? ''} while the disk was ${isFull ? 'full' : 'not full'}.`);
    if (status === 0) losses.push(`${kind}: no answer while the disk was ${isFull ? 'full' : 'not full'}.`);
  };
  const load = startLoad({
    url: () => url,
    ids,
    libraryId,
    folder: library,
    kinds: ['edit', 'edit', 'search', 'read', 'scan'],
    random: createRandom(seed),
    onAnswer,
  });
  let slowest = 0;
  const ballast = join(configDir, 'ballast');
  for (let round = 0; round < rounds; round += 1) {
    await sleep(3000);
    isFull = true;
    fill(ballast);
    // Keeps it full for a while: what the database frees is taken again.
    for (let n = 0; n < 20; n += 1) {
      await sleep(500);
      fill(ballast);
    }
    if ((await call(url, 'GET', '/health')).status !== 200) losses.push('/health did not answer while the disk was full.');
    rmSync(ballast);
    const begun = Date.now();
    await until(
      async () => (await call(url, 'PATCH', `/items/${ids[0]}`, { year: 2000 + round })).status === 200,
      'edits to work again',
      180,
    );
    slowest = Math.max(slowest, Date.now() - begun);
    isFull = false;
    if (service.child.exitCode !== null) losses.push('The service ended.');
  }
  await sleep(2000);
  await load.stop();
  await scanAll(url, libraryId);
  losses.push(...(await load.lost()), ...(await check({ SVC_CONFIG_DIR: configDir })));
  await stopService(service);
  return {
    figures: {
      'times full': rounds,
      'writes refused with a reason': refused,
      'acknowledged edits': load.acknowledged(),
      'slowest recovery': `${(slowest / 1000).toFixed(1)} s after space was free`,
      answers: countsOf(load.answers),
    },
    losses: [...Map.groupBy(losses, (loss) => loss)].map(([loss, same]) => (same.length === 1 ? loss : `${loss} (${same.length} times)`)),
  };
}

/** Writes until nothing fits any more. */
function fill(file) {
  const handle = openSync(file, 'a');
  try {
    for (let size = 4 * 1024 * 1024; size >= 4096; ) {
      try {
        if (writeSync(handle, Buffer.alloc(size)) < size) size /= 4;
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error;
        size /= 4;
      }
    }
  } finally {
    closeSync(handle);
  }
}
