import type { Source } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';

/** The JPEG preview that Photoshop keeps among its image resources (number 1036). */
export function photoshopPreview(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const head = file.need(0, 30);
    if (head.toString('latin1', 0, 4) !== '8BPS') return null;
    const resourcesAt = 30 + head.readUInt32BE(26);
    const length = file.need(resourcesAt, 4).readUInt32BE(0);
    const end = Math.min(file.size, resourcesAt + 4 + length);
    for (let at = resourcesAt + 4; at + 12 <= end; ) {
      const block = file.need(at, 12);
      if (block.toString('latin1', 0, 4) !== '8BIM') return null;
      const nameBytes = (block[6]! + 2) & ~1;
      const sizeAt = at + 6 + nameBytes;
      const size = file.need(sizeAt, 4).readUInt32BE(0);
      // 28 bytes describe the preview before its JPEG begins.
      if (block.readUInt16BE(4) === 1036 && size > 28 && sizeAt + 4 + size <= end) return file.need(sizeAt + 4 + 28, size - 28);
      at = sizeAt + 4 + ((size + 1) & ~1);
    }
    return null;
  });
}

/** The largest PNG inside an icon; null when the icon holds only bitmaps. */
export function largestIcon(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const count = Math.min(256, file.need(0, 6).readUInt16LE(4));
    const entries = file.need(6, count * 16);
    let best: { offset: number; size: number } | undefined;
    for (let i = 0; i < count; i++) {
      const size = entries.readUInt32LE(i * 16 + 8);
      const offset = entries.readUInt32LE(i * 16 + 12);
      if (file.read(offset, 4).toString('latin1') === '\x89PNG' && size > (best?.size ?? 0)) best = { offset, size };
    }
    return best ? file.read(best.offset, best.size) : null;
  });
}
