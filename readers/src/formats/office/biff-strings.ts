/** The table of shared strings of Excel 97 to 2003. A string can continue in the next record, which then begins with its character width. */
export function readSharedStrings(records: readonly Buffer[], maxChars: number): string[] {
  const strings: string[] = [];
  let chars = 0;
  let index = 0;
  let at = 8;
  const current = (): Buffer | undefined => records[index];
  const skip = (bytes: number): void => {
    at += bytes;
    for (let record = current(); record !== undefined && at >= record.length; record = current()) {
      at -= record.length;
      index += 1;
    }
  };
  skip(0);
  for (let record = current(); record !== undefined && chars < maxChars; record = current()) {
    if (at + 3 > record.length) {
      index += 1;
      at = 0;
      continue;
    }
    let left = record.readUInt16LE(at);
    const flags = record[at + 2] as number;
    at += 3;
    let formattingRuns = 0;
    let extra = 0;
    if (flags & 8 && at + 2 <= record.length) {
      formattingRuns = record.readUInt16LE(at);
      at += 2;
    }
    if (flags & 4 && at + 4 <= record.length) {
      extra = record.readUInt32LE(at);
      at += 4;
    }
    let wide = (flags & 1) !== 0;
    let text = '';
    for (let part: Buffer | undefined = record; part !== undefined && left > 0; part = current()) {
      const available = Math.floor((part.length - at) / (wide ? 2 : 1));
      const taken = Math.min(left, Math.max(0, available));
      text += wide ? part.toString('utf16le', at, at + taken * 2) : part.toString('latin1', at, at + taken);
      at += taken * (wide ? 2 : 1);
      left -= taken;
      if (left > 0) {
        index += 1;
        wide = ((current()?.[0] ?? 0) & 1) !== 0;
        at = 1;
      }
    }
    strings.push(text);
    chars += text.length;
    skip(formattingRuns * 4 + extra);
  }
  return strings;
}

/** A text with a 16-bit length that continues in further records, each of which begins with its character width. */
export function continuedText(records: readonly Buffer[], at: number): string {
  const [first, ...rest] = records as [Buffer, ...Buffer[]];
  if (first.length < at + 3) return '';
  const length = first.readUInt16LE(at);
  const decode = (bytes: Buffer): string => (((bytes[0] ?? 0) & 1) !== 0 ? bytes.toString('utf16le', 1) : bytes.toString('latin1', 1));
  return [first.subarray(at + 2), ...rest].map(decode).join('').slice(0, length);
}
