/** The first bytes of a pst or ost: which of its three generations it is and how its text is hidden from plain sight. */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

export interface StoreHeader {
  format: 'pst-ansi' | 'pst-unicode' | 'ost-2013';
  /** The mild scrambling that Outlook offers by default; `strong` is the stronger one. Neither needs a password. */
  encoded?: 'compressible' | 'strong' | 'protected';
}

const encodings: Record<number, StoreHeader['encoded']> = { 1: 'compressible', 2: 'strong', 16: 'protected' };

export function readStoreHeader(file: FileBytes): StoreHeader {
  const head = file.need(0, 564);
  const client = head.toString('latin1', 8, 10);
  const version = head.readUInt16LE(10);
  if (head.toString('latin1', 0, 4) !== '!BDN' || (client !== 'SM' && client !== 'SO'))
    throw new ExtractError('corrupt', 'The file is not an Outlook data file.');
  const narrow = version === 14 || version === 15;
  if (!narrow && version < 23) throw new ExtractError('corrupt', 'The Outlook data file is of an unknown version.');
  // The end of the file, as the root of the header states it, tells a cut file before any of it is read.
  const stated = narrow ? head.readUInt32LE(168) : Number(head.readBigUInt64LE(184));
  if (stated > file.size) throw new ExtractError('corrupt', 'The Outlook data file ends too early.');
  const encoded = encodings[head[narrow ? 461 : 513]!];
  return { format: narrow ? 'pst-ansi' : version >= 36 ? 'ost-2013' : 'pst-unicode', ...(encoded && { encoded }) };
}
