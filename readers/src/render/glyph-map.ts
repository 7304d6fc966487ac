/** Which glyph a font uses for a letter. */
export type GlyphMap = (codePoint: number) => number;

/** Reads the best Unicode table of a font's `cmap`; undefined when there is none that can be read. */
export function readGlyphMap(cmap: Buffer): { glyph: GlyphMap; firstCodes(count: number): number[] } | undefined {
  const count = Math.min(cmap.readUInt16BE(2), 100);
  let best: { rank: number; at: number } | undefined;
  for (let i = 0; i < count && 4 + i * 8 + 8 <= cmap.length; i++) {
    const platform = cmap.readUInt16BE(4 + i * 8);
    const encoding = cmap.readUInt16BE(6 + i * 8);
    const at = cmap.readUInt32BE(8 + i * 8);
    if (at + 8 > cmap.length) continue;
    const format = cmap.readUInt16BE(at);
    if (![0, 4, 6, 12].includes(format)) continue;
    const rank = format === 12 ? 4 : platform === 3 && encoding === 1 ? 3 : platform === 0 ? 2 : 1;
    if (rank > (best?.rank ?? 0)) best = { rank, at };
  }
  if (!best) return undefined;
  const pairs = readPairs(cmap.subarray(best.at));
  return { glyph: (code) => pairs.get(code) ?? 0, firstCodes: (wanted) => [...pairs.keys()].slice(0, wanted) };
}

const maxPairs = 70_000;

function readPairs(table: Buffer): Map<number, number> {
  const pairs = new Map<number, number>();
  const add = (code: number, glyph: number): void => {
    if (glyph !== 0 && pairs.size < maxPairs) pairs.set(code, glyph);
  };
  const format = table.readUInt16BE(0);
  if (format === 0) for (let code = 0; code < 256 && 6 + code < table.length; code++) add(code, table[6 + code]!);
  else if (format === 6) {
    const first = table.readUInt16BE(6);
    const amount = table.readUInt16BE(8);
    for (let i = 0; i < amount && 10 + i * 2 + 2 <= table.length; i++) add(first + i, table.readUInt16BE(10 + i * 2));
  } else if (format === 12) {
    const groups = Math.min(table.readUInt32BE(12), Math.floor((table.length - 16) / 12));
    for (let g = 0; g < groups; g++) {
      const [start, end, glyph] = [0, 4, 8].map((at) => table.readUInt32BE(16 + g * 12 + at)) as [number, number, number];
      for (let code = start; code <= end && code - start < maxPairs; code++) add(code, glyph + code - start);
    }
  } else readSegments(table, add);
  return pairs;
}

/** Format 4: segments of codes with a shift or a table of glyphs. */
function readSegments(table: Buffer, add: (code: number, glyph: number) => void): void {
  const doubled = table.readUInt16BE(6);
  const u16 = (at: number): number => (at + 2 <= table.length ? table.readUInt16BE(at) : 0);
  for (let i = 0; i < doubled && i < 20_000; i += 2) {
    const end = u16(14 + i);
    const start = u16(16 + doubled + i);
    const shift = u16(16 + 2 * doubled + i);
    const rangeAt = 16 + 3 * doubled + i;
    const range = u16(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const found = range === 0 ? code : u16(rangeAt + range + (code - start) * 2);
      add(code, found === 0 ? 0 : (found + shift) & 0xffff);
    }
  }
}
