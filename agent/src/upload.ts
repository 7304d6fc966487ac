/**
 * Sends a file that the service asks for, in parts that are confirmed one by one, so that a cut or a restart continues where it ended. Only
 * files that this agent has reported are sent, whatever the service names: they are looked up in the local index first.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Client, ServiceProblem } from './client.ts';
import type { Command, CommandContext } from './commands.ts';
import { requireInside, requireReported, requireRoots } from './roots.ts';
import type { Store } from './store.ts';

const partBytes = 1024 * 1024;
const isSymlink = 'The file is a symlink, and symlinks are not followed.';

interface UploadState {
  id: string;
  state: string;
  bytes_transferred: number;
}

interface Upload {
  store: Store;
  client: Client;
  roots: readonly string[];
  /** Bytes a second; 0 is no limit. */
  bytesPerSecond: number;
  wait(seconds: number): Promise<void>;
}

export async function performUpload(upload: Upload, { payload }: Command, context: CommandContext): Promise<Record<string, unknown>> {
  const { client } = upload;
  const { handle, size, mtimeNs } = await openReported(upload, payload);
  try {
    const begun = await client.send('POST', '/staging', { body: { command_id: context.id, total_bytes: size } });
    let state = begun.body as UploadState;
    const asked = Number(payload['max_bytes_per_sec'] ?? 0);
    const limits = [upload.bytesPerSecond, asked].filter((limit) => limit > 0);
    const rate = limits.length > 0 ? Math.min(...limits) : 0;
    while (state.state === 'uploading' && state.bytes_transferred < size) {
      context.signal.throwIfAborted();
      const started = Date.now();
      const bytes = await readPart(handle, state.bytes_transferred, rate > 0 ? Math.min(partBytes, Math.max(4096, rate)) : partBytes);
      state = await sendPart(upload, state, bytes, context.signal);
      context.progress(state.bytes_transferred, size);
      const due = rate > 0 ? bytes.length / rate - (Date.now() - started) / 1000 : 0;
      if (due > 0) await upload.wait(due);
    }
    const now = await handle.stat({ bigint: true });
    if (Number(now.size) !== size || now.mtimeNs !== mtimeNs) throw new Error('The file changed while it was being sent.');
    if (state.state !== 'staged') throw new Error('The service did not accept the file: it is not the one that is catalogued.');
    return { bytes: size };
  } finally {
    await handle.close();
  }
}

/** A cut or a busy service is waited out; the service then says from where to continue. */
async function sendPart(upload: Upload, state: UploadState, bytes: Buffer, signal: AbortSignal): Promise<UploadState> {
  let sending = true;
  for (let pause = 1; ; pause = Math.min(30, pause * 2)) {
    signal.throwIfAborted();
    try {
      if (!sending) return (await upload.client.send('GET', `/staging/${state.id}`, { signal })).body as UploadState;
      const answer = await upload.client.send('PATCH', `/staging/${state.id}`, {
        body: bytes,
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(state.bytes_transferred) },
        timeoutSeconds: 600,
        signal,
      });
      return answer.body as UploadState;
    } catch (error) {
      if (error instanceof ServiceProblem && error.members['reason'] === 'offset_mismatch')
        return { ...state, bytes_transferred: Number(error.members['offset']) };
      if (error instanceof ServiceProblem && error.status < 500 && error.status !== 429) throw error;
      sending = false;
      await upload.wait(pause);
    }
  }
}

async function readPart(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  if (bytesRead === 0) throw new Error('The file became shorter while it was being sent.');
  return buffer.subarray(0, bytesRead);
}

async function openReported(
  { store, roots }: Upload,
  payload: Record<string, unknown>,
): Promise<{ handle: FileHandle; size: number; mtimeNs: bigint }> {
  const [root = ''] = requireRoots(roots, payload['library_ref'] ?? '');
  const relPath = String(payload['rel_path']);
  if (requireReported(store, root, relPath).symlink_target !== null) throw new Error(isSymlink);
  const file = await requireInside(root, relPath);
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? new Error(isSymlink) : error;
    },
  );
  const facts = await handle.stat({ bigint: true });
  if (facts.isFile()) return { handle, size: Number(facts.size), mtimeNs: facts.mtimeNs };
  await handle.close();
  throw new Error('It is no longer a regular file.');
}
