import { open } from 'node:fs/promises';
import path from 'node:path';
import { diskPath } from '../walk/index.ts';
import type { SidecarFacts } from './facts.ts';
import { readNfo } from './nfo.ts';
import { readPlayerSidecar } from './player.ts';

/** Kinds of sidecars with something to read in them. */
export type SpeakingKind = 'nfo' | 'player';

/** What a sidecar says; null when it is gone, unreadable, or not what its name says. Never rejects. */
export type ReadSidecar = (root: string, relPath: string, kind: SpeakingKind) => Promise<SidecarFacts | null>;

export const largestSidecar = 512 * 1024;

/** Reads in the process that asks. */
export const readSidecarHere: ReadSidecar = async (root, relPath, kind) => {
  try {
    return await readSidecarFile(diskPath(path.join(root, relPath)), kind);
  } catch {
    // Gone or unreadable: then it says nothing; the scan counts such files elsewhere.
    return null;
  }
};

/** Throws when the file cannot be opened. */
export async function readSidecarFile(file: string | Buffer, kind: SpeakingKind): Promise<SidecarFacts | null> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(largestSidecar);
    const { bytesRead } = await handle.read(bytes, 0, largestSidecar, 0);
    const text = bytes.subarray(0, bytesRead).toString('utf8');
    return kind === 'nfo' ? readNfo(text) : readPlayerSidecar(text);
  } finally {
    await handle.close();
  }
}
