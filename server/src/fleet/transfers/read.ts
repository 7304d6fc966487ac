/** Reads the file of a transfer while it arrives. */
import { type FileHandle, open } from 'node:fs/promises';
import type { ItemRow, OpenFile } from '../../catalog/items/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { type Problem, problem } from '../../platform/problem.ts';
import { isEnabled } from '../../settings/index.ts';
import { requireAgent } from '../agents/index.ts';
import { requestTransfer, requireTransfer } from './service.ts';
import { stagedFile } from './staging.ts';
import { findActive, stampRead, type TransferRow } from './store.ts';

const pollMs = 150;
const connectedSeconds = 300;
const startSeconds = 20;
const chunkBytes = 262_144;
/** A reader gives up when no byte has arrived for this long; the upload goes on. */
const stallSeconds = 120;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pollMs));

function requireAlive({ state, error }: TransferRow): void {
  if (state === 'failed') throw problem('file_gone', error ?? undefined);
  if (state === 'expired') throw problem('file_gone', 'The transfer has ended. Request the file again.');
}

/** The file of a transfer that has begun. Bytes that have not arrived are waited for. */
export async function openTransfer(deps: Dependencies, transfer: TransferRow): Promise<OpenFile> {
  requireAlive(transfer);
  if (transfer.total_bytes === null) throw problem('transfer_not_ready');
  await stampRead(deps.db, transfer.id);
  return {
    size: transfer.total_bytes,
    etag: `"${transfer.id}"`,
    modified: transfer.created_at,
    read: (start, end) => readAsItArrives(deps, transfer.id, start, end),
    close: async () => {},
  };
}

async function* readAsItArrives(deps: Dependencies, id: string, start: number, end: number): AsyncGenerator<Buffer> {
  let handle: FileHandle | undefined;
  try {
    for (let at = start; at <= end; ) {
      const until = await waitForBytes(deps, id, at);
      handle ??= await open(stagedFile(deps.settings, id), 'r');
      while (at <= end && at < until) {
        const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - at + 1, until - at));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) throw new Error('The file of a transfer is shorter than recorded.');
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    }
  } finally {
    await handle?.close();
  }
}

/** How far the file can be read. Until it is verified, its last byte is held back. */
async function waitForBytes(deps: Dependencies, id: string, at: number): Promise<number> {
  for (let arrived = -1, quietSince = Date.now(); ; await pause()) {
    const transfer = await requireTransfer(deps, id);
    requireAlive(transfer);
    const until =
      transfer.state === 'staged' ? (transfer.total_bytes ?? 0) : Math.min(transfer.bytes_transferred, (transfer.total_bytes ?? 1) - 1);
    if (until > at) return until;
    if (transfer.bytes_transferred !== arrived) quietSince = Date.now();
    arrived = transfer.bytes_transferred;
    if (Date.now() - quietSince > stallSeconds * 1000) throw problem('agent_offline');
  }
}

/** Opens the file of an item on another machine: fetches it unless that is under way, and waits until it begins to arrive. */
export type OpenRemoteFile = (item: ItemRow, actor: Actor) => Promise<OpenFile>;

export function createRemoteFiles(deps: Dependencies): OpenRemoteFile {
  return async (item, actor) => {
    if (!isEnabled(deps.settings, 'SVC_AGENTS_ENABLED') || item.source_agent_id === null) throw problem('library_agent_owned');
    const transfer = await currentTransfer(deps, item, actor);
    for (let left = startSeconds * 1000; left > 0; left -= pollMs) {
      const now = await requireTransfer(deps, transfer.id);
      requireAlive(now);
      if (now.total_bytes !== null) return openTransfer(deps, now);
      await pause();
    }
    throw problem('agent_offline', 'The agent did not send the file in time. It goes on trying; open the file again later.');
  };
}

async function currentTransfer(deps: Dependencies, item: ItemRow, actor: Actor): Promise<TransferRow> {
  const active = await findActive(deps.db, item.id);
  if (active) {
    const now = await requireTransfer(deps, active.id);
    if (now.state !== 'failed' && now.expected_size === item.size && now.expected_hash === item.content_hash) return now;
  }
  const { last_seen_at, revoked_at } = await requireAgent(deps.db, item.source_agent_id ?? '');
  if (revoked_at !== null) throw problem('library_agent_owned');
  if (last_seen_at === null || deps.clock.now().getTime() - last_seen_at.getTime() > connectedSeconds * 1000)
    throw problem('agent_offline');
  try {
    return await requestTransfer(deps, item, { verify: true }, actor);
  } catch (error) {
    // Somebody else was faster.
    const theirs = (error as Problem).code === 'transfer_active' ? await findActive(deps.db, item.id) : undefined;
    if (!theirs) throw error;
    return theirs;
  }
}
