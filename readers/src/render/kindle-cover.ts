import type { Source } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';

const maxCoverBytes = 32 * 1024 * 1024;

/** The cover of a Kindle or Mobipocket book: the header says where pictures begin and which of them is the cover. */
export function kindleCover(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const head = file.need(0, 78);
    if (head.toString('latin1', 60, 68) !== 'BOOKMOBI') return null;
    const count = head.readUInt16BE(76);
    const table = file.need(78, count * 8);
    const offset = (index: number): number => (index < count ? table.readUInt32BE(index * 8) : file.size);
    const record = (index: number): Buffer =>
      file.read(offset(index), Math.min(maxCoverBytes, Math.max(0, offset(index + 1) - offset(index))));
    const first = count > 0 ? record(0) : Buffer.alloc(0);
    if (first.length < 132 || (first.readUInt32BE(128) & 0x40) === 0) return null;
    const cover = extendedNumber(first.subarray(16 + first.readUInt32BE(20)), 201);
    const firstImage = first.readUInt32BE(108);
    if (cover === undefined || firstImage + cover >= count) return null;
    return record(firstImage + cover);
  });
}

/** A number among the extended header records. */
function extendedNumber(block: Buffer, wanted: number): number | undefined {
  if (block.length < 12 || block.toString('latin1', 0, 4) !== 'EXTH') return undefined;
  const records = Math.min(block.readUInt32BE(8), 500);
  for (let i = 0, at = 12; i < records && at + 12 <= block.length; i++) {
    const length = block.readUInt32BE(at + 4);
    if (length < 8) return undefined;
    if (block.readUInt32BE(at) === wanted && length === 12) return block.readUInt32BE(at + 8);
    at += length;
  }
  return undefined;
}
