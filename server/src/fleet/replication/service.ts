/**
 * Replication: an agent sends the entries of its outbox in order, and each batch is applied in one transaction or not at all. A batch must
 * continue the last sequence number without a gap; otherwise the answer says which number is expected. A repeated batch gets the answer of
 * its first application. An entry that cannot be applied is put into quarantine, so that it never stops those after it.
 */
import { createHash } from 'node:crypto';
import { replicationLimits } from '@catalog/protocol';
import { type MachineAccounts, storeAccounts } from '../../catalog/permissions/index.ts';
import { applyReported, foldChanges, type ReportedChange, type ReportedFacts, type ReportedFolder } from '../../catalog/scan/index.ts';
import { writeReported } from '../../content/pipeline/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { notFound, problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { type AgentRow, lockAgent, requireNoClone } from '../agents/index.ts';
import { readEntry, sequenceFault } from './entries.ts';
import { hasLists, localNumbers } from './local-numbers.ts';
import { createRoot, findLastBatch, findRoots, markListed, quarantine, recordBatch } from './store.ts';

/** The answer to a batch. */
export interface BatchResult {
  applied: number;
  upserted: number;
  moved: number;
  tombstoned: number;
  noop_tombstones: number;
  trashed_conflicts: number;
  quarantined: number;
  libraries_created: number;
  last_seq: number;
}

const maxRoots = 200;
/** Quarantined entries keep no text longer than this. */
const maxKeptText = 1000;

export async function applyBatch({ db, settings }: Dependencies, { id }: AgentRow, entries: readonly unknown[]): Promise<BatchResult> {
  if (entries.length > replicationLimits.entries)
    throw problem('too_many', `A batch has at most ${replicationLimits.entries} entries. Split it.`);
  const numbers = entries.map((entry) => (entry as { seq_no?: unknown } | null)?.seq_no);
  const digest = createHash('sha256').update(JSON.stringify(entries)).digest('hex');
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const agent = await lockAgent(tx, id);
    if (!agent) throw notFound('agent');
    // Checked under the lock as well, because the agent may have been revoked since it was authenticated.
    if (agent.revoked_at !== null) throw problem('agent_revoked');
    requireNoClone(agent);
    const paused = await maintenanceMode(tx);
    if (paused.active) throw problem('replication_paused', undefined, { reason: 'maintenance', retryAfter: 300 });
    const last = await findLastBatch(tx, id);
    if (last.last_batch_result !== null && last.last_batch_first === numbers[0] && last.last_batch_digest === digest)
      return last.last_batch_result as unknown as BatchResult;
    const fault = sequenceFault(numbers, agent.last_contiguous_seq_no);
    if (fault !== null) throw problem('sequence_conflict', undefined, { reason: fault, expected_seq_no: agent.last_contiguous_seq_no + 1 });
    const result = await applyEntries(tx, settings, agent, entries, numbers as number[]);
    const [first = 0] = numbers as number[];
    await recordBatch(tx, id, { first, last: result.last_seq, digest, result });
    return result;
  });
}

async function applyEntries(
  tx: Db,
  settings: Settings,
  agent: AgentRow,
  entries: readonly unknown[],
  numbers: readonly number[],
): Promise<BatchResult> {
  const result: BatchResult = {
    applied: 0,
    upserted: 0,
    moved: 0,
    tombstoned: 0,
    noop_tombstones: 0,
    trashed_conflicts: 0,
    quarantined: 0,
    libraries_created: 0,
    last_seq: numbers.at(-1) ?? 0,
  };
  const refused: { seq_no: number; reason: string; entry: unknown }[] = [];
  const byRoot = new Map<string, RootReport>();
  let accounts: MachineAccounts | undefined;
  const roots = new Map((await findRoots(tx, agent.id)).map((root) => [root.root_path, root]));
  for (const [at, raw] of entries.entries()) {
    const read = readEntry(raw, settings.agentExtractedMaxBytes);
    const isNew = !('reason' in read) && !roots.has(read.libraryRef) && !byRoot.has(read.libraryRef);
    const tooMany = isNew && roots.size + byRoot.size >= maxRoots;
    if ('reason' in read || tooMany) {
      const reason = 'reason' in read ? read.reason : `An agent can have at most ${maxRoots} roots.`;
      refused.push({ seq_no: numbers[at] ?? 0, reason, entry: shorten(raw) });
      continue;
    }
    const group = byRoot.get(read.libraryRef) ?? { changes: [], folders: [], initial: true };
    byRoot.set(read.libraryRef, group);
    if ('folder' in read) {
      group.folders.push(read.folder);
      accounts = read.accounts ?? accounts;
      continue;
    }
    group.changes.push(read.change);
    group.initial &&= read.initial;
  }
  if (accounts) await storeAccounts(tx, agent.id, accounts);
  const toLocal = [...byRoot.values()].some(hasLists) ? await localNumbers(tx, agent.id) : undefined;
  // Sorted, so that two batches lock libraries in the same order.
  for (const [ref, reported] of [...byRoot].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = roots.get(ref);
    const { initial } = reported;
    const { changes, folders } = toLocal ? toLocal(reported, known?.permissions_enabled ?? true) : reported;
    const libraryId = known?.id ?? (await createRoot(tx, agent.id, libraryName(agent.name, ref), ref));
    if (!known) result.libraries_created += 1;
    // Only the first listing of a root is exempt from the change log, whatever the agent says later.
    const isFirst = initial && !(known?.listed ?? false);
    if (!isFirst) await markListed(tx, [libraryId]);
    const counts = await applyReported(tx, libraryId, changes, { initial: isFirst, crossLibrary: settings.scanCrossLibraryMoves, folders });
    await writeReported(tx, settings, libraryId, extractedIn(changes));
    result.applied += changes.length + reported.folders.length;
    result.upserted += counts.created + counts.changed;
    result.moved += counts.moved;
    result.tombstoned += counts.tombstoned;
    result.noop_tombstones += counts.noop_tombstones;
    result.trashed_conflicts += counts.trashed;
  }
  await quarantine(tx, agent.id, refused);
  result.quarantined = refused.length;
  return result;
}

/** What a batch says about one root. */
interface RootReport {
  changes: ReportedChange[];
  folders: ReportedFolder[];
  initial: boolean;
}

/** What was read from the files that are there after all changes. */
function extractedIn(changes: readonly ReportedChange[]): Map<string, ReportedFacts | null> {
  if (!changes.some((change) => change.kind !== 'gone' && change.file.extracted !== undefined)) return new Map();
  return new Map([...foldChanges(changes)].flatMap(([path, { file }]) => (file?.extracted === undefined ? [] : [[path, file.extracted]])));
}

function libraryName(agentName: string, ref: string): string {
  const parts = ref.split(/[\\/]+/).filter((part) => part !== '');
  return `${agentName}: ${parts.at(-1) ?? ref}`.slice(0, 200);
}

/** Keeps what explains the refusal, in a form that the database can store. */
function shorten(raw: unknown): unknown {
  const text = JSON.stringify(raw, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd').slice(0, maxKeptText) : value,
  );
  return text !== undefined && text.length <= 16 * maxKeptText ? JSON.parse(text) : { dropped: 'The entry is too large to be kept.' };
}
