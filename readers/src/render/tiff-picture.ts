/** An uncompressed TIFF of RGB pixels with a colour profile, which is how sharp takes the profile of raw pixels. */
export function rgbTiff(pixels: Buffer, width: number, height: number, profile: Buffer): Buffer {
  const profileAt = 8 + pixels.length + (pixels.length & 1);
  const bitsAt = profileAt + profile.length + (profile.length & 1);
  const directoryAt = bitsAt + 8;
  const entries: [tag: number, type: 3 | 4 | 7, count: number, value: number][] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 3, bitsAt],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, 8],
    [277, 3, 1, 3],
    [278, 4, 1, height],
    [279, 4, 1, pixels.length],
    [34675, 7, profile.length, profileAt],
  ];
  const out = Buffer.alloc(directoryAt + 2 + entries.length * 12 + 4);
  out.write('II*\0', 0, 'latin1');
  out.writeUInt32LE(directoryAt, 4);
  pixels.copy(out, 8);
  profile.copy(out, profileAt);
  for (const i of [0, 2, 4]) out.writeUInt16LE(8, bitsAt + i);
  out.writeUInt16LE(entries.length, directoryAt);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = directoryAt + 2 + i * 12;
    out.writeUInt16LE(tag, at);
    out.writeUInt16LE(type, at + 2);
    out.writeUInt32LE(count, at + 4);
    out.writeUInt32LE(value, at + 8);
  }
  return out;
}
