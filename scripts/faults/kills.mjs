// Kills random processes of a service with SIGKILL while it scans, extracts, edits, searches and rebuilds. After each kill nothing that was
// acknowledged may be lost, and `catalog check` must pass.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countsOf, createRandom, itemIds, startLoad } from '../lib/faults/load.mjs';
import {
  addLibrary,
  call,
  check,
  makeFiles,
  mustCall,
  scanAll,
  startService,
  stopService,
  temporaryFolder,
  until,
} from '../lib/faults/service.mjs';

export default async function kills({ rounds = 200, files = 300, seed = 1 }) {
  const random = createRandom(seed);
  const folder = temporaryFolder('kills');
  const [library, configDir] = [join(folder, 'library'), join(folder, 'config')];
  mkdirSync(library);
  makeFiles(library, files);
  let service = await startService({ configDir });
  const { port } = service;
  const { id: libraryId } = await addLibrary(service.url, library);
  await scanAll(service.url, libraryId);
  const ids = await itemIds(service.url, libraryId);
  const load = startLoad({
    url: () => service.url,
    ids,
    libraryId,
    folder: library,
    kinds: ['edit', 'edit', 'search', 'scan', 'rebuild'],
    random,
  });
  const killed = {};
  const losses = [];
  let restarts = 0;
  let slowest = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(200 + random() * 2500);
    const roles = [...new Set(service.pids().map(({ role }) => role)), 'supervisor'];
    const role = roles[Math.floor(random() * roles.length)];
    const pids = role === 'supervisor' ? [service.child.pid] : service.pids().flatMap((entry) => (entry.role === role ? [entry.pid] : []));
    const pid = pids[Math.floor(random() * pids.length)];
    killed[role] = (killed[role] ?? 0) + 1;
    const begun = Date.now();
    const children = service.pids().filter((entry) => ['app', 'worker'].includes(entry.role));
    if (pid !== undefined) kill(pid);
    if (role === 'supervisor') {
      await service.ended;
      // The app still answers until it notices that its supervisor is gone.
      await until(() => children.every((entry) => !existsSync(`/proc/${entry.pid}`)), 'the processes of a dead supervisor to end');
      service = await restart(configDir, port);
    }
    await until(async () => {
      // A service that cannot be kept running ends; an operator's service manager would start it again.
      if (service.child.exitCode !== null) {
        restarts += 1;
        service = await restart(configDir, port);
      }
      return (await call(service.url, 'GET', `/items/${ids[0]}`, undefined, 5)).status === 200;
    }, `the service to return after the death of ${role}`);
    const returned = Date.now();
    slowest = Math.max(slowest, returned - begun);
    load.pause(true);
    let findings = [];
    // The index may be catching up while the check runs.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      findings = await check({ SVC_CONFIG_DIR: configDir });
      if (findings.length === 0) break;
      await sleep(3000);
    }
    losses.push(
      ...findings.map((finding) => `round ${round} (${role}): ${finding}`),
      ...(await load.lost()).map((loss) => `round ${round} (${role}): ${loss}`),
    );
    load.pause(false);
    console.error(
      `round ${round}: ${role}, back after ${((returned - begun) / 1000).toFixed(1)} s, checked in ${((Date.now() - returned) / 1000).toFixed(1)} s`,
    );
    if (losses.length > 0) break;
  }
  await load.stop();
  await mustCall(service.url, 'GET', '/health');
  await scanAll(service.url, libraryId);
  losses.push(...(await load.lost()), ...(await check({ SVC_CONFIG_DIR: configDir })));
  await stopService(service);
  return {
    figures: {
      kills: Object.entries(killed)
        .map(([role, count]) => `${role} ${count}`)
        .join(', '),
      'acknowledged edits': load.acknowledged(),
      'starts by hand': restarts,
      'longest outage': `${(slowest / 1000).toFixed(1)} s`,
      answers: countsOf(load.answers),
    },
    losses,
  };
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The next start may meet processes that are still noticing that their supervisor is gone. */
async function restart(configDir, port) {
  let service;
  await until(async () => {
    service = await startService({ configDir, port });
    return true;
  }, 'the service to start again');
  return service;
}
