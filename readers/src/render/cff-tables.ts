/** A numbered list of byte strings inside a CFF table. */
export interface CffIndex {
  count: number;
  /** Where the list ends in the table. */
  end: number;
  item(index: number): Buffer;
}

export function readIndex(cff: Buffer, at: number): CffIndex {
  const count = cff.readUInt16BE(at);
  if (count === 0) return { count, end: at + 2, item: () => Buffer.alloc(0) };
  const width = cff.readUInt8(at + 2);
  if (width < 1 || width > 4) throw new RangeError('offset width');
  const offset = (index: number): number => cff.readUIntBE(at + 3 + index * width, width);
  const base = at + 2 + (count + 1) * width;
  return {
    count,
    end: base + offset(count),
    item(index) {
      if (index < 0 || index >= count) return Buffer.alloc(0);
      return cff.subarray(base + offset(index), base + offset(index + 1));
    },
  };
}

/** A dictionary of numbers; two-byte operators are numbered from 0x0c00. */
export function readDict(bytes: Buffer): Map<number, number[]> {
  const dict = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++]!;
    if (first <= 21) {
      dict.set(first === 12 ? 0x0c00 + bytes.readUInt8(at++) : first, operands);
      operands = [];
    } else if (first === 28) {
      operands.push(bytes.readInt16BE(at));
      at += 2;
    } else if (first === 29) {
      operands.push(bytes.readInt32BE(at));
      at += 4;
    } else if (first === 30) {
      // A decimal number in half bytes; none of those is needed here.
      while (at < bytes.length && (bytes[at]! & 15) !== 15 && bytes[at]! >> 4 !== 15) at++;
      at++;
      operands.push(0);
    } else if (first <= 246) operands.push(first - 139);
    else if (first <= 250) operands.push((first - 247) * 256 + bytes.readUInt8(at++) + 108);
    else operands.push(-(first - 251) * 256 - bytes.readUInt8(at++) - 108);
  }
  return dict;
}
