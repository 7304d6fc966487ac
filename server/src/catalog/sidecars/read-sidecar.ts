import path from 'node:path';
import { readSidecarFile, type SidecarFacts, type SidecarFormat } from '@catalog/readers';
import { diskPath } from '@catalog/scanner';

/** Reads one sidecar. Returns null when it is missing, unreadable, or not what its name says; never rejects. */
export type ReadSidecar = (root: string, relPath: string, format: SidecarFormat) => Promise<SidecarFacts | null>;

/** Reads in the calling process, without a sandbox. */
export const readSidecarInProcess: ReadSidecar = async (root, relPath, format) => {
  try {
    return await readSidecarFile(diskPath(path.join(root, relPath)), format);
  } catch {
    // A missing or unreadable sidecar adds no facts; the scan counts such files elsewhere.
    return null;
  }
};
