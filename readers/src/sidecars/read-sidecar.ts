import { open } from 'node:fs/promises';
import { declaredEncoding, decodeText } from '../input/text-encoding.ts';
import { parseNfo } from './nfo.ts';
import { parsePlayerSidecar } from './player.ts';
import type { SidecarFacts } from './sidecar-xml.ts';

export type { SidecarFacts } from './sidecar-xml.ts';

/** The sidecar formats that can be parsed. */
export type SidecarFormat = 'nfo' | 'player';

export const sidecarMaxBytes = 512 * 1024;

/** Returns null when the file is not of that format. Throws when it cannot be opened. */
export async function readSidecarFile(file: string | Buffer, format: SidecarFormat): Promise<SidecarFacts | null> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(sidecarMaxBytes);
    const { bytesRead } = await handle.read(bytes, 0, sidecarMaxBytes, 0);
    const written = bytes.subarray(0, bytesRead);
    const text = decodeText(written, bytesRead < sidecarMaxBytes, declaredEncoding(written))?.text;
    if (text === undefined) return null;
    return format === 'nfo' ? parseNfo(text) : parsePlayerSidecar(text);
  } finally {
    await handle.close();
  }
}
