// Mixed load for a while: memory, open descriptors, database connections and disk must stay flat. The first fifth is for warming up; the
// rest is compared third by third.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countsOf, createRandom, itemIds, startLoad } from '../lib/faults/load.mjs';
import { addLibrary, check, makeFiles, scanAll, startService, stopService, temporaryFolder } from '../lib/faults/service.mjs';

/** How much larger the last third may be than the first: a factor, and an amount that is noise. */
const bounds = { 'memory MB': [1.25, 50], descriptors: [1.2, 20], connections: [1.2, 5], 'disk MB': [1.5, 100] };

export default async function soak({ minutes = 30, files = 1000, seed = 1 }) {
  const folder = temporaryFolder('soak');
  const [library, configDir] = [join(folder, 'library'), join(folder, 'config')];
  mkdirSync(library);
  makeFiles(library, files);
  const service = await startService({ configDir });
  const { url } = service;
  const { id: libraryId } = await addLibrary(url, library);
  await scanAll(url, libraryId);
  const ids = await itemIds(url, libraryId);
  const losses = [];
  const onAnswer = (kind, { status }) => {
    if (status === 0 || status >= 500) losses.push(`${kind}: status ${status}.`);
  };
  const load = startLoad({
    url: () => url,
    ids,
    libraryId,
    folder: library,
    kinds: ['edit', 'edit', 'search', 'search', 'read', 'scan', 'rebuild'],
    random: createRandom(seed),
    onAnswer,
    pauseMs: 50,
  });
  const samples = [];
  const [begun, end] = [Date.now(), Date.now() + minutes * 60_000];
  for (let n = 0; Date.now() < end; n += 1) {
    await sleep(Math.min(10_000, (minutes * 60_000) / 30));
    // The library must not grow, or everything else would.
    if (n % 10 === 9)
      for (const name of readdirSync(library))
        for (const file of readdirSync(join(library, name))) if (/file-1\d{6}/.test(file)) rmSync(join(library, name, file));
    if (Date.now() - begun > minutes * 12_000) samples.push(measure(service));
  }
  await load.stop();
  const third = Math.max(1, Math.floor(samples.length / 3));
  const figures = { minutes, samples: samples.length };
  for (const [name, [factor, noise]] of Object.entries(bounds)) {
    const [first, last] = [samples.slice(0, third), samples.slice(-third)].map((part) => median(part.map((sample) => sample[name])));
    figures[name] = `${first} in the first third, ${last} in the last`;
    if (last > first * factor && last - first > noise) losses.push(`${name} grew from ${first} to ${last}.`);
  }
  losses.push(...(await load.lost()), ...(await check({ SVC_CONFIG_DIR: configDir })));
  await stopService(service);
  return { figures: { ...figures, 'acknowledged edits': load.acknowledged(), answers: countsOf(load.answers) }, losses };
}

function measure({ pids, child, configDir }) {
  let [kilobytes, descriptors, connections] = [0, 0, 0];
  const all = pids();
  for (const pid of [child.pid, ...all.map((entry) => entry.pid)]) {
    try {
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
      descriptors += readdirSync(`/proc/${pid}/fd`).length;
    } catch {
      // The process has just ended.
    }
  }
  const database = all.find(({ role }) => role === 'database')?.pid;
  if (database !== undefined) {
    const children = readFileSync(`/proc/${database}/task/${database}/children`, 'utf8').trim().split(' ');
    for (const pid of children) {
      try {
        if (/catalog \S+ \[?local/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))) connections += 1;
      } catch {
        // The connection has just been closed.
      }
    }
  }
  const disk = Number.parseInt(spawnSync('du', ['-sm', configDir], { encoding: 'utf8' }).stdout, 10);
  return { 'memory MB': Math.round(kilobytes / 1024), descriptors, connections, 'disk MB': disk };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
