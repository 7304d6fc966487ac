/**
 * Thousands of agents in one process against one real service: they poll, send a trickle of changes, take part in a rollout, and see the
 * service restart. Afterwards every change must have arrived exactly once and every agent must use the new policy.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../server/src/platform/database/index.ts';
import { freePort, startCommand, stopService, until } from '../../server/test/service.ts';
import { nextMessage } from '../api/service.ts';
import type { Row } from '../row.ts';
import { fetchPerAgent } from './fetch-per-agent.ts';
import { createSimulatedAgent, type SimulatedAgent } from './simulated-agent.ts';

const changesPerAgent = 2;
const trickleSeconds = 240;
const maxPollMs = 1000;
const maxAppMb = 1024;
const limitMs = 1_800_000;

interface Simulation {
  db: Db;
  url: string;
  agents: SimulatedAgent[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The most memory that an app process has had, in MB. */
  appMb(): number;
}

export async function benchSimulated(db: Db, databaseUrl: string, folder: string, count: number): Promise<Row[]> {
  // Ten thousand machines have as many disks, and do not wait for each other to write.
  const disks = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : folder, 'bench-agents-'));
  try {
    return await simulate(db, databaseUrl, folder, disks, count);
  } finally {
    rmSync(disks, { recursive: true, force: true });
  }
}

async function simulate(db: Db, databaseUrl: string, folder: string, disks: string, count: number): Promise<Row[]> {
  globalThis.fetch = fetchPerAgent();
  const simulation = await prepare(db, databaseUrl, folder, disks, count);
  const delivered = new Map<string, number>();
  await simulation.start();
  const running = simulation.agents.map((agent) => agent.run((command) => delivered.set(command, performance.now())));
  let stopPolling = (): void => {};
  const began = performance.now();
  const say = (what: string): void => console.error(`fleet: ${what} after ${Math.round((performance.now() - began) / 1000)} s`);
  try {
    await until(async () => (await connected(db)) === count, 'all agents to connect', limitMs);
    say('all agents connected');
    const poller = startPolling(simulation, disks);
    stopPolling = () => poller.disconnect();
    poller.send('begin');
    const rollout = await startRollout(simulation);
    const half = trickle(simulation, changesPerAgent / 2);
    const commands = await sendCommands(simulation);
    await half;
    say('first changes made, service stopped');
    await simulation.stop();
    const rest = trickle(simulation, changesPerAgent / 2);
    await simulation.start();
    await rest;
    say('all changes made');
    await until(async () => (await ended(simulation, rollout)) !== null, 'the rollout to end', limitMs);
    const status = await ended(simulation, rollout);
    say(`rollout ${status}`);
    await until(() => simulation.agents.every(({ store }) => store.pending() === 0), 'all changes to be sent', limitMs);
    say('all changes sent');
    const latest = await generation(db);
    await until(() => simulation.agents.every((agent) => agent.generation() === latest), 'all agents to use the new policy', limitMs);
    await until(() => commands.every(({ id }) => delivered.has(id)), 'all commands to arrive', limitMs);
    const waits = commands.map(({ id, at }) => (delivered.get(id) ?? Number.POSITIVE_INFINITY) - at);
    const measured = nextMessage<number[]>(poller);
    poller.send('report');
    const polls = await measured;
    return rowsOf(count, await faultsOf(simulation), { polls, waits, appMb: simulation.appMb(), status });
  } finally {
    stopPolling();
    for (const agent of simulation.agents) agent.stop();
    await Promise.all(running);
    await simulation.stop();
    for (const { store } of simulation.agents) store.close();
  }
}

function startPolling({ url, agents }: Simulation, folder: string): ChildProcess {
  const some = agents.filter((_, n) => n % Math.ceil(agents.length / 100) === 0).map(({ id }) => id);
  return fork(new URL('poll-process.ts', import.meta.url), [url.replace('/api/v1', ''), folder, ...some]);
}

async function prepare(db: Db, databaseUrl: string, folder: string, disks: string, count: number): Promise<Simulation> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const agents = Array.from({ length: count }, () => createSimulatedAgent(randomUUID(), url, disks));
  const rows = agents.map(({ id, publicKey }) => ({ id, name: `simulated ${id}`, public_key: publicKey }));
  await sql`insert into agents (id, name, hostname, platform, approved_at, cert_fingerprint, public_key, cert_not_after)
    select r.id, r.name, r.name, 'linux', now(), encode(sha256(r.id::text::bytea), 'hex'), r.public_key, now() + interval '3 days'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, name text, public_key text)`.execute(db);
  const env = {
    SVC_CONFIG_DIR: join(folder, 'config'),
    SVC_PORT: String(port),
    SVC_HOST: '127.0.0.1',
    SVC_AUTH_ENABLED: 'false',
    SVC_AGENTS_ENABLED: 'true',
    SVC_DATABASE_URL: databaseUrl,
    SVC_LOG_DB_ENABLED: 'false',
  };
  let service: ReturnType<typeof startCommand> | undefined;
  let highest = 0;
  const sample = (): void => {
    highest = Math.max(highest, appMemoryMb(service?.child.pid));
  };
  return {
    db,
    url: `${url}/api/v1`,
    agents,
    async start() {
      const started = startCommand(['all'], env);
      service = started;
      await until(() => started.output().includes('is running.'), `the service to start: ${started.output()}`, 180_000);
    },
    async stop() {
      sample();
      if (service) await stopService(service);
      service = undefined;
    },
    appMb() {
      sample();
      return highest;
    },
  };
}

/** The peak of the app below this supervisor. */
function appMemoryMb(supervisor: number | undefined): number {
  if (supervisor === undefined) return 0;
  for (const pid of readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ')) {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('app')) continue;
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  }
  return 0;
}

async function ask<T>({ url }: Simulation, method: string, path: string, body?: object): Promise<T> {
  const given = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
  const answer = await fetch(url + path, { method, ...given });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function connected(db: Db): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::integer as n from agents where last_seen_at is not null and name like 'simulated %'
    and config_generation_applied is not null`.execute(db);
  return rows[0]?.n ?? 0;
}

async function startRollout(simulation: Simulation): Promise<string> {
  const [global] = await ask<{ id: string }[]>(simulation, 'GET', '/agents/config-groups');
  const tiers = [
    { percent: 10, delay_minutes: 0 },
    { percent: 100, delay_minutes: 1 },
  ];
  await ask(simulation, 'PATCH', `/agents/config-groups/${global?.id}`, { policy: { exclude_globs: ['*.tmp'] }, rollout: { tiers } });
  const [rollout] = await ask<{ id: string }[]>(simulation, 'GET', '/agents/config-rollouts');
  return String(rollout?.id);
}

/** How the rollout ended; null while it goes on. */
async function ended(simulation: Simulation, id: string): Promise<string | null> {
  const found = (await ask<{ id: string; status: string }[]>(simulation, 'GET', '/agents/config-rollouts')).find((each) => each.id === id);
  return found === undefined || ['scheduled', 'running'].includes(found.status) ? null : found.status;
}

async function generation(db: Db): Promise<number> {
  const { rows } = await sql<{ g: number }>`select max(generation) as g from agent_config_groups where is_system`.execute(db);
  return Number(rows[0]?.g);
}

/** Changes per agent, made at random times. */
async function trickle({ agents }: Simulation, changes: number): Promise<void> {
  const steps = 20;
  const seconds = Math.min(trickleSeconds, Math.max(5, agents.length / 50));
  const turns = agents.flatMap((agent) => Array.from({ length: changes }, () => ({ agent, step: Math.floor(Math.random() * steps) })));
  for (let step = 0; step < steps; step += 1) {
    for (const turn of turns) if (turn.step === step) turn.agent.change();
    await sleep((seconds * 1000) / steps);
  }
}

async function sendCommands(simulation: Simulation): Promise<{ id: string; at: number }[]> {
  const sent: { id: string; at: number }[] = [];
  const { agents } = simulation;
  const total = Math.min(100, agents.length);
  for (let n = 0; n < total; n += 1) {
    const agent = agents[Math.floor((n * agents.length) / total)];
    const at = performance.now();
    const { id } = await ask<{ id: string }>(simulation, 'POST', `/agents/${agent?.id}/commands`, { kind: 'rescan' }).catch(() => ({
      id: '',
    }));
    if (id !== '') sent.push({ id, at });
  }
  return sent;
}

/** Changes that are missing, or were applied more than once. */
async function faultsOf({ db, agents }: Simulation): Promise<{ events: number; lost: number; repeated: number }> {
  const { rows } = await sql<{ id: string; items: number; logged: number; seq: number }>`
    select a.id, a.last_contiguous_seq_no as seq, count(i.id)::integer as items,
      (select count(*)::integer from scan_changes c join all_libraries o on o.id = c.library_id where o.source_agent_id = a.id) as logged
    from agents a left join all_libraries l on l.source_agent_id = a.id left join items i on i.library_id = l.id and i.status = 'active'
    where a.name like 'simulated %' group by a.id`.execute(db);
  const known = new Map(rows.map((row) => [row.id, row]));
  let [events, lost, repeated] = [0, 0, 0];
  for (const agent of agents) {
    const row = known.get(agent.id);
    events += agent.made();
    lost += Math.max(0, agent.made() - (row?.items ?? 0));
    repeated += Math.max(0, (row?.logged ?? 0) - agent.made()) + Math.max(0, Number(row?.seq ?? 0) - agent.made());
  }
  return { events, lost, repeated };
}

const p99 = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

function rowsOf(
  count: number,
  { events, lost, repeated }: { events: number; lost: number; repeated: number },
  { polls, waits, appMb, status }: { polls: number[]; waits: number[]; appMb: number; status: string | null },
): Row[] {
  const row = { peer: '', ratio: null };
  const poll = Math.round(p99(polls) * 10) / 10;
  return [
    {
      ...row,
      name: `changes of ${count} simulated agents lost or applied twice`,
      value: lost + repeated,
      unit: '',
      limit: 'none',
      ok: lost + repeated === 0 && status === 'completed',
      detail: `${events} changes, one restart; the rollout is ${status}, and all agents use its policy`,
    },
    {
      ...row,
      name: 'a poll under this load (p99)',
      value: poll,
      unit: 'ms',
      limit: `at most ${maxPollMs} ms`,
      ok: poll <= maxPollMs,
      detail: `${polls.length} polls; a command arrives after ${Math.round(p99(waits))} ms (p99 of ${waits.length})`,
    },
    {
      ...row,
      name: 'memory of the app',
      value: Math.round(appMb),
      unit: 'MB',
      limit: `at most ${maxAppMb} MB`,
      ok: appMb > 0 && appMb <= maxAppMb,
    },
  ];
}
