/** PalmDOC packing: literal runs, a space joined to a letter, and copies from at most 2047 bytes back. A record never unpacks past 64 KiB. */
const maxDecompressedBytes = 65_536;

export function decompressPalmDoc(packed: Buffer): Buffer {
  const out = Buffer.alloc(maxDecompressedBytes);
  let to = 0;
  let at = 0;
  while (at < packed.length && to < maxDecompressedBytes) {
    const byte = packed[at++] as number;
    if (byte >= 1 && byte <= 8) {
      for (let i = 0; i < byte && at < packed.length && to < maxDecompressedBytes; i++) out[to++] = packed[at++] as number;
    } else if (byte < 0x80) out[to++] = byte;
    else if (byte >= 0xc0) {
      out[to++] = 32;
      if (to < maxDecompressedBytes) out[to++] = byte ^ 0x80;
    } else {
      if (at >= packed.length) break;
      const pair = (byte << 8) | (packed[at++] as number);
      const back = (pair >> 3) & 0x7ff;
      const length = (pair & 7) + 3;
      if (back === 0 || back > to) break;
      for (let i = 0; i < length && to < maxDecompressedBytes; i++, to++) out[to] = out[to - back] as number;
    }
  }
  return out.subarray(0, to);
}
