/**
 * Files of agents on request. States of a transfer:
 *
 * pending    the agent has a command to upload the file -> uploading, failed, expired
 * uploading  parts arrive in order, each durable before it is confirmed -> verifying, failed, expired
 * verifying  all bytes are here and are compared with the catalog -> staged, failed
 * staged     can be downloaded until it expires -> expired
 * failed, expired are final, and the file is removed.
 *
 * A reader may start while the file is being uploaded: it gets bytes as they arrive, and the last part only once the file is verified, so
 * that a download which completes is always the catalogued file. Rights are those of the item, checked on every request.
 */
import { randomUUID } from 'node:crypto';
import type { ItemRow } from '../../catalog/items/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { type AgentRow, auditOf, requireAgent } from '../agents/index.ts';
import { cancelIfOpen, enqueueIn } from '../commands/index.ts';
import { listStaged, removeStaged, requireSpace, verifyStaged, writePart } from './staging.ts';
import {
  advance,
  expireTransfers,
  failAbandoned,
  findActive,
  findByCommand,
  findTransfer,
  insertTransfer,
  keptAmong,
  lockTransfer,
  purgeTransfers,
  reservedBytes,
  setState,
  setTotal,
  type TransferRow,
} from './store.ts';

export const transferLimits = { ttlSeconds: 21_600, chunkBytes: 8 * 1024 * 1024, keptDays: 30 };

export interface TransferRequest {
  verify: boolean;
  maxBytesPerSecond?: number | undefined;
}

/** Asks the agent for the file. The caller has checked that the person may download the item. */
export async function requestTransfer(deps: Dependencies, item: ItemRow, options: TransferRequest, actor: Actor): Promise<TransferRow> {
  const { db, settings } = deps;
  if (item.source_agent_id === null) throw problem('transfer_not_needed');
  const agent = await requireAgent(db, item.source_agent_id);
  if (agent.revoked_at !== null) throw problem('conflict', 'The agent of this file is revoked. The file can no longer be fetched.');
  await removeStaged(settings, await failAbandoned(db, item.id));
  const active = await findActive(db, item.id);
  if (active) throw problem('transfer_active', undefined, { transfer_id: active.id });
  await requireSpace(settings, item.size, await reservedBytes(db));
  const id = randomUUID();
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const command = await enqueueIn(
      tx,
      {
        agentId: agent.id,
        kind: 'stage_upload',
        itemId: item.id,
        libraryIds: [item.library_id],
        payload: {
          transfer_id: id,
          library_ref: item.root_path,
          rel_path: item.rel_path,
          ...(options.maxBytesPerSecond === undefined ? {} : { max_bytes_per_sec: options.maxBytesPerSecond }),
        },
        requestedBy: actor.principalId,
        ttlSeconds: transferLimits.ttlSeconds,
      },
      actor,
    );
    const added = await insertTransfer(tx, {
      id,
      item_id: item.id,
      agent_id: agent.id,
      command_id: command.id,
      expected_size: item.size,
      expected_hash: item.content_hash,
      verify: options.verify,
      requested_by: actor.principalId,
      ttlSeconds: transferLimits.ttlSeconds,
    });
    if (!added) throw problem('transfer_active');
    await recordEvent(tx, {
      event_type: 'agent_transfer_initiated',
      ...auditOf(actor),
      details: { agent_id: agent.id, item_id: item.id, transfer_id: id },
    });
    return added;
  });
}

/** The transfer, after its command was looked at. */
export async function requireTransfer({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, id: string): Promise<TransferRow> {
  const known = await findTransfer(db, id);
  if (!known) throw notFound('transfer');
  if (known.state !== 'pending' && known.state !== 'uploading') return known;
  const failed = await failAbandoned(db, known.item_id);
  await removeStaged(settings, failed);
  return failed.length > 0 ? ((await findTransfer(db, id)) ?? known) : known;
}

export async function cancelTransfer(deps: Dependencies, transfer: TransferRow, actor: Actor): Promise<void> {
  if (transfer.state === 'failed' || transfer.state === 'expired') throw problem('command_ended', 'The transfer has already ended.');
  await cancelIfOpen(deps.db, transfer.command_id);
  await setState(deps.db, transfer.id, 'expired', 'The transfer was cancelled.');
  await removeStaged(deps.settings, [transfer.id]);
  await recordEvent(deps.db, {
    event_type: 'agent_transfer_cancelled',
    ...auditOf(actor),
    details: { transfer_id: transfer.id, item_id: transfer.item_id },
  });
}

/** The agent starts or continues an upload. */
export async function openUpload(
  { db, settings }: Dependencies,
  agent: AgentRow,
  commandId: string,
  total: number,
): Promise<{ transfer: TransferRow; created: boolean }> {
  const transfer = await findByCommand(db, agent.id, commandId);
  if (!transfer) throw notFound('transfer');
  if (transfer.state === 'staged' || transfer.state === 'verifying') return { transfer, created: false };
  if (transfer.state !== 'pending' && transfer.state !== 'uploading') throw problem('command_ended', 'The transfer has ended.');
  if (transfer.verify && total !== transfer.expected_size)
    return refuse(db, transfer, `The file has ${total} bytes now; ${transfer.expected_size} are catalogued. Scan the library again.`);
  if (transfer.total_bytes !== null && transfer.total_bytes !== total)
    return refuse(db, transfer, 'The size of the file changed while it was being sent.');
  if (transfer.total_bytes === null) {
    const others = (await reservedBytes(db)) - transfer.expected_size;
    await requireSpace(settings, total, others);
    await setTotal(db, transfer.id, total);
    if (total === 0) {
      await writePart(settings, transfer.id, 0, Buffer.alloc(0));
      await setState(db, transfer.id, 'staged');
    }
  }
  return { transfer: (await findByCommand(db, agent.id, commandId)) ?? transfer, created: transfer.total_bytes === null };
}

async function refuse(db: Db, { id, command_id }: TransferRow, reason: string): Promise<never> {
  await setState(db, id, 'failed', reason);
  await cancelIfOpen(db, command_id);
  throw problem('conflict', reason, { reason: 'changed' });
}

/** Stores one part, which must begin where the last one ended. Returns the transfer after it. */
export async function receivePart(deps: Dependencies, agent: AgentRow, id: string, offset: number, bytes: Buffer): Promise<TransferRow> {
  const { db, settings } = deps;
  const complete = await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const transfer = await lockTransfer(tx, agent.id, id);
    if (!transfer) throw notFound('transfer');
    if (transfer.state !== 'uploading') throw problem('command_ended', 'This transfer takes no more bytes.');
    const { bytes_transferred: done, total_bytes: total } = transfer;
    if (offset !== done || done + bytes.length > (total ?? 0))
      throw problem('conflict', `Send the bytes from ${done} on, ${total ?? 0} in all.`, { reason: 'offset_mismatch', offset: done });
    await writePart(settings, id, offset, bytes);
    await advance(tx, id, done + bytes.length);
    const isLast = done + bytes.length === total;
    if (isLast) await setState(tx, id, 'verifying');
    return isLast;
  });
  if (complete) await verify(deps, id);
  return requireTransfer(deps, id);
}

async function verify({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, id: string): Promise<void> {
  const transfer = await findTransfer(db, id);
  if (transfer?.state !== 'verifying') return;
  const wrong = await verifyStaged(settings, id, transfer.total_bytes ?? 0, transfer.verify ? transfer.expected_hash : null);
  await setState(db, id, wrong === null ? 'staged' : 'failed', wrong);
  if (wrong === null) return;
  await removeStaged(settings, [id]);
  // The file can be requested again, whether or not the agent reports the failure.
  await cancelIfOpen(db, transfer.command_id);
  await recordEvent(db, {
    event_type: 'agent_transfer_verify_failed',
    details: { agent_id: transfer.agent_id, item_id: transfer.item_id, transfer_id: id, reason: wrong },
  });
}

/** Removes what is no longer needed, and verifies what a restart interrupted. */
export async function sweepTransfers(deps: Pick<Dependencies, 'db' | 'settings'>): Promise<void> {
  const { db, settings } = deps;
  await failAbandoned(db, null);
  await expireTransfers(db);
  await purgeTransfers(db, transferLimits.keptDays);
  const present = await listStaged(settings);
  const kept = await keptAmong(db, present);
  await removeStaged(
    settings,
    present.filter((id) => !kept.has(id)),
  );
  for (const id of kept) await verify(deps, id);
}
