// Breaks agents and the service they report to: kills of both, connections cut at random bytes, wrong clocks, full disks on both sides, a revoked,
// a copied and a lying agent. After each fault the catalog must equal the disk of the agent, and `catalog check` must pass. Full disks need root.
import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogued, changeFiles, converge, enrol, killAgent, runAgent, startAgent, startCable } from '../lib/faults/agents.mjs';
import { attack, enrolHostile } from '../lib/faults/hostile-agent.mjs';
import { createRandom } from '../lib/faults/load.mjs';
import { call, check, makeFiles, mustCall, startService, stopService, temporaryFolder, until } from '../lib/faults/service.mjs';

const dayMs = 86_400_000;
const policy = { watch_mode: true, extract_enabled: true, extract_body_text: true, scan_interval_seconds: 10 };

export default async function agents({ rounds = 100, minutes = Number.POSITIVE_INFINITY, files = 200, seed = 1 }) {
  const random = createRandom(seed);
  const folder = temporaryFolder('agents');
  const place = Object.fromEntries(['config', 'files', 'data', 'copy'].map((name) => [name, join(folder, name)]));
  for (const name of ['config', 'files', 'data']) mkdirSync(place[name]);
  const canFill = mountSmall(place.config, '900m,mode=711') && mountSmall(place.data, '24m');
  makeFiles(place.files, files);
  const run = { folder, place, random, losses: [], figures: {}, service: await startService({ configDir: place.config, env }) };
  run.cable = await startCable(run.service.port);
  const [global] = await mustCall(run.service.url, 'GET', '/agents/config-groups');
  await mustCall(run.service.url, 'PATCH', `/agents/config-groups/${global.id}`, { policy });
  run.agentId = await enrol({ url: run.service.url, port: run.cable.port, dataDir: place.data, folder: place.files, name: 'machine' });
  run.agent = startAgent(place.data, ['run']);
  await settled(run, 'the first scan');
  await repeated(run, rounds, Date.now() + minutes * 60_000);
  for (const skewMs of [dayMs, -dayMs]) await wrongClock(run, skewMs);
  if (canFill) await fullDisks(run);
  else run.figures['full disks'] = 'left out: needs root';
  await copied(run);
  await hostile(run);
  await revoked(run);
  await killAgent(run.agent);
  await stopService(run.service);
  return { figures: run.figures, losses: run.losses };
}

const env = { SVC_AGENTS_ENABLED: 'true' };

/** The catalog equals the disk, and everything in it is consistent. */
async function settled(run, what) {
  const note = (line) => run.losses.push(`after ${what}: ${line}`);
  for (const line of await converge(run.service.url, run.agentId, run.place.files)) note(line);
  let findings = [];
  // The index may be catching up while the check runs.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    findings = await check({ SVC_CONFIG_DIR: run.place.config, ...env });
    if (findings.length === 0) break;
    await sleep(3000);
  }
  findings.forEach(note);
  const { body } = await call(run.service.url, 'GET', `/agents/${run.agentId}/quarantine`);
  if (body?.length > 0) note(`${body.length} changes are in quarantine: ${body[0].reason}`);
  console.error(`${what}: ${run.losses.length === 0 ? 'ok' : 'FAILED'}`);
}

/** Every round kills the agent, kills the service and cuts the connection, each while files change. No round begins after `end`. */
async function repeated(run, rounds, end) {
  const { random, place } = run;
  let round = 1;
  for (; round <= rounds && Date.now() < end && run.losses.length === 0; round += 1) {
    changeFiles(place.files, random, round);
    await sleep(random() * 3000);
    await killAgent(run.agent);
    changeFiles(place.files, random, round);
    run.agent = startAgent(place.data, ['run']);
    await sleep(random() * 3000);
    run.cable.state.cutAfter = () => Math.floor(random() * 6000);
    changeFiles(place.files, random, round);
    await sleep(random() * 4000);
    run.cable.state.cutAfter = () => Number.POSITIVE_INFINITY;
    changeFiles(place.files, random, round);
    await sleep(random() * 2000);
    await killService(run);
    await settled(run, `round ${round}`);
  }
  run.figures['kills of agent and service, each'] = round - 1;
  run.figures['connections cut'] = run.cable.state.cuts;
}

async function killService(run) {
  const { service, place } = run;
  const children = service.pids().filter(({ role }) => ['app', 'worker'].includes(role));
  service.child.kill('SIGKILL');
  await service.ended;
  await until(() => children.every(({ pid }) => !existsSync(`/proc/${pid}`)), 'the processes of a dead supervisor to end');
  await until(async () => {
    run.service = await startService({ configDir: place.config, port: service.port, env });
    return true;
  }, 'the service to start again');
}

async function wrongClock(run, skewMs) {
  const { place, random } = run;
  await killAgent(run.agent);
  run.agent = startAgent(place.data, ['run'], { skewMs });
  changeFiles(place.files, random, 9000);
  await settled(run, `a clock that differs by ${skewMs / 3_600_000} hours`);
  const { output } = await runAgent(place.data, ['doctor'], { skewMs });
  if (!output.includes('The clock differs')) run.losses.push(`The doctor does not mention the clock: ${output}`);
  await killAgent(run.agent);
  run.agent = startAgent(place.data, ['run']);
  run.figures['wrong clocks'] = '1 day ahead, 1 day behind';
}

async function fullDisks(run) {
  const { place, random } = run;
  for (const side of ['data', 'config']) {
    const ballast = join(place[side], 'ballast');
    for (let n = 0; n < 10; n += 1) {
      fill(ballast);
      changeFiles(place.files, random, 9100 + n, 30);
      await sleep(1000);
    }
    if (run.agent.child.exitCode !== null) run.losses.push(`The agent ended on a full disk: ${run.agent.output().slice(-500)}`);
    rmSync(ballast);
    await settled(run, `a full disk of the ${side === 'data' ? 'agent' : 'service'}`);
  }
  run.figures['full disks'] = 'agent, service';
}

/** A second program with the same key and the same outbox, as after cloning a disk: both wait until one of them is chosen. */
async function copied(run) {
  const { place, random } = run;
  const { url } = run.service;
  await killAgent(run.agent);
  cpSync(place.data, place.copy, { recursive: true });
  run.agent = startAgent(place.data, ['run']);
  const copy = startAgent(place.copy, ['run']);
  const shown = () => mustCall(url, 'GET', `/agents/${run.agentId}`);
  await until(
    async () => {
      changeFiles(place.files, random, 9200, 2);
      return (await shown()).clone_held_at !== null;
    },
    'the service to notice the copy',
    240,
  );
  await until(
    () => [run.agent, copy].every((each) => each.output().includes('Another program uses the identity')),
    'both to notice it',
    120,
  );
  const told = (await Promise.all([place.data, place.copy].map((dataDir) => runAgent(dataDir, ['doctor'])))).map(({ output }) => output);
  run.figures['copies that say so'] = told.filter((output) => output.includes('two machines use the identity')).length;
  const [, keep_run_id] = /Started as run (\S+) on/.exec(run.agent.output()) ?? [];
  await mustCall(url, 'POST', `/agents/${run.agentId}/resolve-clone`, { keep_run_id });
  await until(async () => (await shown()).clone_held_at === null, 'the chosen machine to make a new key', 120);
  changeFiles(place.files, random, 9210);
  await settled(run, 'a copied agent');
  const { output } = await runAgent(place.copy, ['doctor']);
  if (!output.includes('The service refused this agent')) run.losses.push(`The doctor of the other machine says: ${output}`);
  await killAgent(copy);
  run.figures['copied agent'] = 'both held back; the chosen one goes on, the other is refused';
}

async function hostile(run) {
  const { url } = run.service;
  const before = await catalogued(url, run.agentId);
  const liar = await enrolHostile(url, 'liar');
  const [victim] = before.values();
  const faults = await attack(liar, { victimId: run.agentId, victimRoot: run.place.files, victimItem: victim.id });
  run.losses.push(...faults.map((fault) => `hostile agent: ${fault}`));
  const after = await catalogued(url, run.agentId);
  if (JSON.stringify([...before.keys()]) !== JSON.stringify([...after.keys()]))
    run.losses.push('A hostile agent changed the files of another.');
  const quarantine = await mustCall(url, 'GET', `/agents/${liar.id}/quarantine`);
  run.figures['hostile agent'] = `${quarantine.length} lies in quarantine`;
  await settled(run, 'a hostile agent');
}

async function revoked(run) {
  const { url } = run.service;
  const { place, random } = run;
  const before = (await catalogued(url, run.agentId)).size;
  // The copied machine was refused before.
  const said = run.agent.output().length;
  await mustCall(url, 'DELETE', `/agents/${run.agentId}`);
  changeFiles(place.files, random, 9300);
  await until(() => run.agent.output().slice(said).includes('refused'), 'the agent to notice that it was revoked', 90);
  const { output } = await runAgent(place.data, ['doctor']);
  if (!output.includes('The service refused this agent')) run.losses.push(`The doctor of a revoked agent says: ${output}`);
  const local = await runAgent(place.data, ['search', 'file']);
  if (local.code === 0) run.losses.push('A revoked agent still offers local search.');
  if ((await catalogued(url, run.agentId)).size !== before) run.losses.push('Files were lost or added after the agent was revoked.');
  const { status } = await mustCall(url, 'GET', `/agents/${run.agentId}`);
  if (status !== 'revoked') run.losses.push(`The state of a revoked agent is ${status}.`);
  run.losses.push(...(await check({ SVC_CONFIG_DIR: place.config, ...env })));
  run.figures['revoked agent'] = 'refused, its files are kept';
}

function mountSmall(folder, options) {
  if (process.getuid() !== 0) return false;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${options}`, 'catalog-faults', folder]).status !== 0) return false;
  process.prependOnceListener('exit', () => spawnSync('umount', ['-l', folder]));
  return true;
}

/** Writes until nothing fits any more. */
function fill(file) {
  const handle = openSync(file, 'a');
  try {
    for (let size = 1024 * 1024; size >= 4096; ) {
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
