/** The list of Outlook properties that TNEF attributes carry: texts and times by number; everything else is passed over by its length. */
export type TnefProperties = ReadonlyMap<number, string | Date>;

const fixedSizes: Record<number, number> = { 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 };
const firstNamedId = 0x8000;
const multipleFlag = 0x1000;

/** Reads as far as the bytes make sense. */
export function readTnefProperties(bytes: Buffer): TnefProperties {
  const found = new Map<number, string | Date>();
  if (bytes.length < 4) return found;
  let at = 4;
  const padded = (length: number): number => Math.ceil(length / 4) * 4;
  const number = (): number => {
    const value = bytes.readUInt32LE(at);
    at += 4;
    return value;
  };
  try {
    for (let left = Math.min(bytes.readUInt32LE(0), 4096); left > 0; left--) {
      const type = bytes.readUInt16LE(at);
      const id = bytes.readUInt16LE(at + 2);
      at += 4;
      if (id >= firstNamedId) {
        at += 16;
        if (number() === 0) at += 4;
        else at += padded(number());
      }
      const kind = type & ~multipleFlag;
      const size = fixedSizes[kind];
      const values = size !== undefined && type === kind ? 1 : Math.min(number(), 10_000);
      for (let n = 0; n < values; n++) {
        const length = size ?? number();
        if (at + length > bytes.length) return found;
        const value = bytes.subarray(at, at + length);
        at += padded(length);
        if (kind === 0x1f) found.set(id, value.toString('utf16le').replace(/\0+$/, ''));
        else if (kind === 0x1e) found.set(id, new TextDecoder('windows-1252').decode(value).replace(/\0+$/, ''));
        else if (kind === 0x102 && id === 0x1013) found.set(id, value.toString('utf8'));
        else if (kind === 0x40) found.set(id, new Date(Number(value.readBigUInt64LE(0) / 10_000n) - 11_644_473_600_000));
      }
    }
  } catch {
    // The list ends inside a value: what was read before it holds.
  }
  return found;
}
