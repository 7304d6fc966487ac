/**
 * Commands to agents. States:
 *
 * pending    waits for the agent's poll -> picked_up, cancelled, expired
 * picked_up  the agent works on it; it acknowledges at least every five minutes -> done, failed (by the agent), cancelled, expired;
 *            without an acknowledgement -> pending, after the fifth delivery -> failed
 * done, failed, cancelled, expired are final. An agent that works on a command that has ended learns it from its next poll, which waits
 * open, and stops.
 */

import type { Visibility } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { type AgentRow, auditOf, librariesOf, requireAgent } from '../agents/index.ts';
import {
  announce,
  type CommandKind,
  type CommandRow,
  countOpen,
  endCommand,
  endedAmong,
  findCommand,
  findOwnCommand,
  insertCommand,
  insertInventory,
  type NewCommand,
  purgeCommands,
  sweepCommands,
  takeCommands,
} from './store.ts';
import type { Wakeups } from './wakeups.ts';

export const commandLimits = { open: 200, resultBytes: 65_536, inventoryBytes: 8 * 1024 * 1024, keptDays: 30 };

const defaultTtlSeconds = 21_600;

/** Adds a command in the transaction of the caller; the agent is woken when it commits. */
export async function enqueueIn(
  tx: Db,
  command: Omit<NewCommand, 'ttlSeconds'> & { ttlSeconds?: number | undefined },
  actor: Actor,
): Promise<CommandRow> {
  const { revoked_at } = await requireAgent(tx, command.agentId);
  if (revoked_at !== null) throw problem('conflict', 'This agent is revoked and takes no commands.');
  if ((await countOpen(tx, command.agentId)) >= commandLimits.open)
    throw problem('conflict', `${commandLimits.open} commands of this agent are open. Wait until some have ended, or cancel them.`);
  const added = await insertCommand(tx, { ...command, ttlSeconds: command.ttlSeconds ?? defaultTtlSeconds });
  if (!added) throw problem('command_open');
  await recordEvent(tx, {
    event_type: 'agent_command_enqueued',
    ...auditOf(actor),
    details: { agent_id: command.agentId, command_id: added.id, kind: command.kind, item_id: command.itemId },
  });
  await announce(tx, command.agentId);
  return added;
}

export interface AgentWork {
  kind: Extract<CommandKind, 'rescan' | 'inventory' | 'reconcile' | 'reextract' | 'rehash_sweep' | 'agent_maintenance'>;
  /** One library of the agent; all of them when absent. */
  libraryId?: string | undefined;
  /** More for the agent; absent values are left out. */
  options?: Record<string, string | number | boolean | readonly string[] | undefined>;
  ttlSeconds?: number | undefined;
}

/** The libraries of an agent, if the caller sees all their files. */
export async function requireWhole(db: Db, visibility: Visibility, agentId: string): Promise<string[]> {
  const ids = (await librariesOf(db, agentId)).map(({ id }) => id);
  if (!visibility.unrestricted && (ids.length === 0 || !ids.every((id) => visibility.seesWhole(id))))
    throw problem('action_denied', 'You do not see all files of this agent.');
  return ids;
}

/** Asks for work on libraries of an agent. The caller must see every library concerned in whole. */
export async function requestWork(db: Db, visibility: Visibility, agentId: string, work: AgentWork, actor: Actor): Promise<CommandRow> {
  await requireAgent(db, agentId);
  const own = await librariesOf(db, agentId);
  const chosen = own.filter(({ id }) => work.libraryId === undefined || id === work.libraryId);
  const mayAll = visibility.unrestricted || (chosen.length > 0 && chosen.every(({ id }) => visibility.seesWhole(id)));
  if (work.libraryId !== undefined && (chosen.length === 0 || !mayAll)) throw notFound('library');
  if (!mayAll) throw problem('action_denied', 'You do not see all files of this agent. Name a library that you see in whole.');
  requirePermissionsOf(visibility, work.options?.['collectors']);
  const payload = {
    ...(work.libraryId === undefined ? {} : { library_ref: chosen[0]?.root_path }),
    ...work.options,
  };
  const command = {
    agentId,
    kind: work.kind,
    itemId: null,
    libraryIds: chosen.map(({ id }) => id),
    payload,
    ttlSeconds: work.ttlSeconds,
    requestedBy: actor.principalId,
  };
  return db.transaction().execute((tx) => enqueueIn(tx as Db, command, actor));
}

/** An inventory of access lists tells who can read files, of all folders at once. */
export function requirePermissionsOf(visibility: Visibility, collectors: unknown): void {
  if (Array.isArray(collectors) && collectors.includes('permissions') && !visibility.unrestricted)
    throw problem('action_denied', 'Only people whom no rule restricts can list who can read files.');
}

export async function requireCommand(db: Db, visibility: Visibility, id: string): Promise<CommandRow> {
  const command = await findCommand(db, visibility, id);
  if (!command) throw notFound('command');
  return command;
}

export async function cancel(db: Db, visibility: Visibility, id: string, actor: Actor): Promise<CommandRow> {
  const { agent_id, kind } = await requireCommand(db, visibility, id);
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const ended = await endCommand(tx, id, 'cancelled', null);
    if (!ended) throw problem('command_ended');
    await recordEvent(tx, {
      event_type: 'agent_command_cancelled',
      ...auditOf(actor),
      details: { agent_id, command_id: id, kind },
    });
    await announce(tx, agent_id);
    return ended;
  });
}

/** Cancels a command that another capability has added, unless it has ended. */
export async function cancelIfOpen(db: Db, id: string): Promise<void> {
  const ended = await endCommand(db, id, 'cancelled', null);
  if (ended) await announce(db, ended.agent_id);
}

export interface PollOptions {
  /** The commands on which the agent works; null when it does not say. */
  working: readonly string[] | null;
  max: number;
  waitSeconds: number;
  /** Aborted when the agent has gone. */
  signal: AbortSignal;
  /** Called when there is nothing yet. */
  onWait(): void;
}

/** New commands for the agent, and those of `working` that have ended; waits until there are any. */
export async function poll(db: Db, wakeups: Wakeups, agent: AgentRow, options: PollOptions): Promise<CommandRow[]> {
  const { working, max, waitSeconds, signal, onWait } = options;
  const deadline = Date.now() + waitSeconds * 1000;
  let wake = (): void => {};
  const wakeUp = (): void => wake();
  const unsubscribe = waitSeconds > 0 ? wakeups.subscribe(agent.id, wakeUp) : () => {};
  signal.addEventListener('abort', wakeUp);
  try {
    for (;;) {
      // Armed before the query, so that no notification is missed in between.
      const notified = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (signal.aborted) return [];
      // While two machines use this identity, nobody knows which of them would carry a command out.
      const taken = agent.clone_held_at === null ? await takeCommands(db, agent.id, working, max) : [];
      const found = [...(await endedAmong(db, agent.id, working ?? [])), ...taken];
      const left = deadline - Date.now();
      if (found.length > 0 || left <= 0 || wakeups.closed) return found;
      onWait();
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        wakeUp();
      }, left);
      await notified;
      clearTimeout(timer);
      // Nothing was announced; the next poll looks again.
      if (isOver) return [];
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', wakeUp);
  }
}

export async function requireOwn(db: Db, agentId: string, id: string): Promise<CommandRow> {
  const command = await findOwnCommand(db, agentId, id);
  if (!command) throw notFound('command');
  return command;
}

/**
 * The result of a command about a file, without where the file was: who sees the file later may not see that folder. Errors of the file system
 * end with the call and the path.
 */
function withoutPlace({ item_id, payload }: CommandRow, result: Record<string, unknown> | null): Record<string, unknown> | null {
  const error = result?.['error'];
  if (item_id === null || typeof error !== 'string') return result;
  const said = error.replace(/, \w+ '.*'$/su, '');
  const isNamed = [payload['rel_path'], payload['library_ref']].some((place) => typeof place === 'string' && said.includes(place));
  return { ...result, error: isNamed ? 'The agent could not read the file.' : said };
}

/** Repeating the completion of a command changes nothing. */
export async function complete(
  db: Db,
  agentId: string,
  id: string,
  ok: boolean,
  given: Record<string, unknown> | null,
): Promise<CommandRow> {
  const command = await requireOwn(db, agentId, id);
  const result = withoutPlace(command, given);
  if (result !== null && Buffer.byteLength(JSON.stringify(result)) > commandLimits.resultBytes)
    throw problem('too_many', `A result has at most ${commandLimits.resultBytes} bytes.`);
  const status = ok ? 'done' : 'failed';
  const ended = await endCommand(db, id, status, result);
  if (ended) return ended;
  const now = await requireOwn(db, agentId, id);
  if (now.status !== status) throw problem('command_ended');
  return command.status === status ? command : now;
}

/** Stores what an inventory found. Returns whether it is new. */
export async function storeInventory(db: Db, agentId: string, id: string, body: Buffer, entries: number): Promise<boolean> {
  const command = await requireOwn(db, agentId, id);
  if (command.kind !== 'inventory') throw problem('conflict', 'This command is not an inventory.');
  if (command.status !== 'picked_up' && command.status !== 'done') throw problem('command_ended');
  return insertInventory(db, id, body, entries);
}

const sweepLimit = 500;

export async function sweep(db: Db): Promise<{ changed: number; purged: number }> {
  const agents = await sweepCommands(db, sweepLimit);
  for (const agentId of agents) await announce(db, agentId);
  return { changed: agents.length, purged: await purgeCommands(db, commandLimits.keptDays) };
}
