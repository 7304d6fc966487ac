/** Centres of alignment patterns, and data bytes per block at error correction level M, by version (ISO/IEC 18004, annex E and table 9). */
const centres = [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46]];
const blockSizes = [[], [16], [28], [44], [32, 32], [43, 43], [27, 27, 27, 27], [31, 31, 31, 31], [38, 38, 39, 39], [36, 36, 36, 37, 37]];

const masks: ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/**
 * Reads the text of a QR code of at most version 9 with level M and byte mode. Written from the standard and apart from the encoder, so that
 * a camera reads what both agree on. Errors are not corrected.
 */
export function readQrCode(size: number, isDark: (x: number, y: number) => boolean): string {
  const version = (size - 17) / 4;
  const bit = (x: number, y: number): number => (isDark(x, y) ? 1 : 0);
  const formatPlaces: [number, number][] = [
    ...Array.from({ length: 6 }, (_, at): [number, number] => [8, at]),
    ...([
      [8, 7],
      [8, 8],
      [7, 8],
    ] as [number, number][]),
    ...Array.from({ length: 6 }, (_, at): [number, number] => [5 - at, 8]),
  ];
  const format = formatPlaces.reduce((sum, [x, y], at) => sum | (bit(x, y) << at), 0) ^ 0x5412;
  if (format >> 13 !== 0) throw new Error('The error correction level is not M.');
  const mask = masks[(format >> 10) & 7] as (x: number, y: number) => number;

  const [lines, blocks] = [centres[version] ?? [], blockSizes[version] ?? []];
  const isCorner = (x: number, y: number): boolean => (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
  const isAligned = (x: number, y: number): boolean =>
    lines.some((cx) => lines.some((cy) => !isCorner(cx, cy) && Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2));
  const isVersion = (x: number, y: number): boolean => version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6));
  const holdsData = (x: number, y: number): boolean => !isCorner(x, y) && x !== 6 && y !== 6 && !isAligned(x, y) && !isVersion(x, y);

  // Pairs of columns from the right, alternately upwards and downwards; the column of the timing pattern does not count.
  const bits: number[] = [];
  for (let pair = 0; pair < (size - 1) / 2; pair++) {
    const right = size - 1 - 2 * pair - (size - 1 - 2 * pair <= 6 ? 1 : 0);
    for (let step = 0; step < size; step++) {
      const y = pair % 2 === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (holdsData(x, y)) bits.push(bit(x, y) ^ (mask(x, y) === 0 ? 1 : 0));
    }
  }
  const byteAt = (at: number): number => bits.slice(at * 8, at * 8 + 8).reduce((sum, each) => sum * 2 + each, 0);
  const data = blocks.map((): number[] => []);
  for (let column = 0, next = 0; column < Math.max(...blocks); column++)
    for (const [at, length] of blocks.entries()) if (column < length) data[at]?.push(byteAt(next++));
  const [first = 0, ...rest] = data.flat();
  if (first >> 4 !== 4) throw new Error('The text is not in byte mode.');
  // The four bits of the mode shift everything after them by half a byte.
  const halves = [first & 15, ...rest.flatMap((byte) => [byte >> 4, byte & 15])];
  const at = (index: number): number => (halves[2 * index] ?? 0) * 16 + (halves[2 * index + 1] ?? 0);
  return new TextDecoder().decode(Uint8Array.from({ length: at(0) }, (_, index) => at(index + 1)));
}
