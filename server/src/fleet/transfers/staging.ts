/** The folder of files that agents have uploaded, one file per transfer. */
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { createHasher } from '@catalog/scanner';
import { classifyDisk } from '../../platform/disk.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';

export function stagingFolder({ configDir }: Pick<Settings, 'configDir'>): string {
  return path.join(configDir, 'staging');
}

export function stagedFile(settings: Pick<Settings, 'configDir'>, transferId: string): string {
  return path.join(stagingFolder(settings), transferId);
}

/** Refuses a file that would leave too little space on the disk, or exceed the space for transfers. */
export async function requireSpace(settings: Settings, bytes: number, reserved: number): Promise<void> {
  const limit = settings.agentStagingMaxGb * 1e9;
  if (reserved + bytes > limit)
    throw problem(
      'staging_full',
      `Files of agents may use ${settings.agentStagingMaxGb} GB here (SVC_AGENT_STAGING_MAX_GB). Wait until others have expired, or cancel them.`,
    );
  mkdirSync(stagingFolder(settings), { recursive: true, mode: 0o700 });
  const { bavail, blocks, bsize } = await statfs(stagingFolder(settings));
  const { status, reason } = classifyDisk(settings, bavail * bsize - bytes, blocks * bsize);
  if (status === 'critical') throw problem('staging_full', `The file would fill the disk of the catalog. ${reason ?? ''}`.trim());
}

/** Writes a part of a file and makes it durable. Bytes after it, from an attempt that was not confirmed, are overwritten. */
export async function writePart(settings: Pick<Settings, 'configDir'>, id: string, offset: number, bytes: Buffer): Promise<void> {
  mkdirSync(stagingFolder(settings), { recursive: true, mode: 0o700 });
  let handle: FileHandle | undefined;
  try {
    handle = await open(stagedFile(settings, id), offset === 0 ? 'w' : 'r+', 0o600);
    await handle.write(bytes, 0, bytes.length, offset);
    await handle.datasync();
  } finally {
    await handle?.close();
  }
}

export async function removeStaged(settings: Pick<Settings, 'configDir'>, ids: readonly string[]): Promise<void> {
  for (const id of ids) await rm(stagedFile(settings, id), { force: true });
}

/** Ids of all files in the folder. */
export async function listStaged(settings: Pick<Settings, 'configDir'>): Promise<string[]> {
  try {
    return (await readdir(stagingFolder(settings))).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Reads the file again in a thread. Null when it is the expected one, otherwise what is wrong. */
export async function verifyStaged(
  settings: Pick<Settings, 'configDir'>,
  id: string,
  size: number,
  hash: string | null,
): Promise<string | null> {
  const file = stagedFile(settings, id);
  const facts = await stat(file, { bigint: true });
  if (Number(facts.size) !== size) return `The file has ${facts.size} bytes instead of ${size}.`;
  if (hash === null) return null;
  const hasher = createHasher({ threads: 1 });
  try {
    const [result] = await hasher.hash([{ path: file, size, mtimeNs: String(facts.mtimeNs), content: true }]);
    if (!result || result.error !== undefined) return `The file could not be read again (${result?.error ?? 'no result'}).`;
    return result.content === hash ? null : 'The file is not the one that is catalogued: its content hash differs.';
  } finally {
    await hasher.close();
  }
}
