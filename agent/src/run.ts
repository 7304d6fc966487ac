/**
 * The agent while it runs: a scan of every root at its interval, and beside it the connection to the service, which sends the outbox, reports
 * health, fetches the policy and renews the certificate. Without a connection it goes on scanning; the outbox grows and is sent later.
 */
import os from 'node:os';
import { renewIfDue, replaceKey, settleNewKey } from './certificate.ts';
import { commandKinds } from './command-kinds.ts';
import { createCommandRunner } from './commands.ts';
import { cloneAdvice } from './doctor.ts';
import { capabilities, healthOf, runId } from './health.ts';
import { createLocalPage } from './local-page.ts';
import { pause, repeat } from './loop.ts';
import { createPolicyTurns, fetchPolicy, readPolicy } from './policy.ts';
import { createPollWait } from './poll-wait.ts';
import { pushAll } from './push.ts';
import { dueRoots, type Running, readAll, reconcileRoots, scanAll, scanChanges, uploadLimit } from './running.ts';
import { createUpdater } from './self-update.ts';
import { followTaxonomy } from './taxonomy.ts';
import { confirmProgram, type Program } from './update.ts';
import { version } from './version.ts';

const updateSeconds = 3600;
const heartbeatSeconds = 30;
/** Who reports, in every heartbeat. */
const identity = { version, run_id: runId, hostname: os.hostname() };

/** Runs until `stop` is aborted, or until the program was replaced by a newer one. */
export async function runAgent(agent: Running, stop: AbortController, program: Program | null): Promise<'stopped' | 'replaced'> {
  const { log, dataDir } = agent;
  const { signal } = stop;
  let replaced: string | null = null;
  /** A new program is kept once it has scanned and the service has heard of it. */
  const proven = new Set<'scanned' | 'heard'>();
  const prove = (what: 'scanned' | 'heard'): void => {
    if (program && proven.add(what).size === 2) confirmProgram(dataDir, program);
  };
  const wait = (seconds: number): Promise<void> => pause(seconds, signal);
  log(`Started as run ${runId} on ${os.hostname()}.`);
  const page = createLocalPage(agent);
  const restart = (version: string): void => {
    replaced = version;
    log(version === 'before' ? 'The version before was put back and starts now.' : `Version ${version} is installed and starts now.`);
    // After the result of the command was sent.
    setTimeout(() => stop.abort(), 0);
  };
  const suspended = (): boolean => agent.store.meta('suspended') === 'true';
  /** Everything sent is refused until an administrator has chosen one of two machines; a heartbeat tells when. */
  const sharedIdentity = (): boolean => agent.store.meta('clone_held') !== null;
  const updater = createUpdater({ client: agent.client, releaseKey: agent.config.releaseKey, dataDir, program, restart });
  const kinds = { ...commandKinds(agent, wait), self_update: { lane: 'update', perform: updater.perform } };
  const commands = createCommandRunner({ client: agent.client, kinds, wait, log, signal });
  const policyTurns = createPolicyTurns();
  const pollWait = createPollWait();
  await Promise.all([
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (!stored) return 1;
      agent.watcher.follow(stored.policy);
      if (suspended()) return 1;
      if ((await scanAll(agent, stored.policy, signal)).some((result) => !('error' in result))) prove('scanned');
      return stored.policy.scan_interval_seconds ?? agent.config.limits.scanIntervalSeconds;
    }),
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (!stored?.policy.watch_mode || suspended()) return 2;
      await Promise.race([agent.watcher.changed(), pause(5, signal)]);
      await scanChanges(agent, stored.policy, signal);
      return 0;
    }),
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (stored && !agent.reconciling && !suspended()) await readAll(agent, stored.policy, signal);
      return 2;
    }),
    repeat(signal, log, async () => {
      await settleNewKey(agent.config, agent.dataDir);
      await renewIfDue(agent.client, agent.config, agent.dataDir, new Date(Date.now() + agent.client.clockOffset() * 1000));
      return 60;
    }),
    repeat(signal, log, async () => {
      if (!policyTurns.isDue()) return 5;
      const before = readPolicy(agent.dataDir)?.etag;
      const { etag, policy, taxonomyVersion } = await fetchPolicy(agent.client, agent.dataDir);
      await followTaxonomy(agent.client, agent.dataDir, taxonomyVersion);
      agent.watcher.follow(policy);
      await page.follow(policy);
      policyTurns.asked(etag !== before);
      return 5;
    }),
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (sharedIdentity()) return 2;
      if (stored && (await agent.pace.sendingHeld(stored.policy)) !== null) return 10;
      await pushAll(agent.store, agent.client, { wait, signal, bytesPerSecond: uploadLimit(agent) });
      return 2;
    }),
    repeat(signal, log, async () => {
      const body = {
        ...identity,
        health: await healthOf(agent),
        capabilities: { ...(await capabilities()), ...(await agent.reader.abilities()) },
      };
      const answer = (await agent.client.send('POST', '/heartbeat', { body, signal })).body;
      await followClone(agent, answer);
      prove('heard');
      const { config_mark, poll_seconds } = Object(answer) as { config_mark?: unknown; poll_seconds?: unknown };
      policyTurns.tell(config_mark);
      pollWait.tell(poll_seconds);
      // A clone that is held back learns soon that it may go on.
      return sharedIdentity() ? Math.min(heartbeatSeconds, nextHeartbeat(answer)) : nextHeartbeat(answer);
    }),
    repeat(signal, log, async () => {
      const due = dueRoots(agent);
      // Nothing is compared while changes wait to be sent.
      if (sharedIdentity() || due.length === 0 || agent.store.pending() > 0) return 2;
      await reconcileRoots(agent, due, signal);
      return 60;
    }),
    repeat(signal, log, async () => {
      await updater.update();
      return updateSeconds * (0.9 + Math.random() * 0.2);
    }),
    repeat(signal, log, async () => {
      await pollWait.run((seconds) => commands.poll(seconds));
      return 0.1;
    }),
  ]);
  await commands.idle();
  await page.close();
  await sayGoodbye(agent, replaced !== null);
  return replaced === null ? 'stopped' : 'replaced';
}

/** The service asks agents of a large fleet to wait longer. */
function nextHeartbeat(answer: unknown): number {
  const { next_in_seconds: seconds } = Object(answer) as { next_in_seconds?: unknown };
  return typeof seconds === 'number' && seconds > 0 && seconds <= 600 ? seconds : heartbeatSeconds;
}

/** Two machines use one identity. What the service says of it is kept for the doctor, and logged once an hour. */
async function followClone(agent: Running, answer: unknown): Promise<void> {
  const { store, log } = agent;
  const { cloned, held, renew_key } = Object(answer) as { cloned?: boolean; held?: boolean; renew_key?: boolean };
  const before = store.meta('clone_seen');
  if (cloned && (before === null || Date.now() - Date.parse(before) >= 3_600_000)) {
    store.setMeta('clone_seen', new Date().toISOString());
    log(`Another program uses the identity of this agent. ${cloneAdvice}`);
  }
  if (renew_key) {
    await replaceKey(agent.client, agent.config, agent.dataDir);
    log('This machine keeps the identity of the agent and has a new key. The other machine is refused from now on.');
  }
  if (held && !renew_key) return store.setMeta('clone_held', new Date().toISOString());
  if (store.meta('clone_held') === null) return;
  // What the other machine reported meanwhile is corrected.
  store.run("delete from meta where key in ('clone_held', 'clone_seen') or key like 'reconciled %'");
}

/** The service then knows that the machine was switched off, and does not expect it. A lost goodbye only means that it does. */
async function sayGoodbye(agent: Running, restarts: boolean): Promise<void> {
  if (restarts) return;
  try {
    const health = { ...(await healthOf(agent)), stopping: true };
    await agent.client.send('POST', '/heartbeat', { body: { ...identity, health }, timeoutSeconds: 3 });
  } catch (error) {
    agent.log(`The service does not know that this agent stops: ${error instanceof Error ? error.message : String(error)}`);
  }
}
