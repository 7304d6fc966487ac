/** Detected in this order: byte-order mark, UTF-16 by its zero bytes, valid UTF-8, else Windows-1252 (a superset of Latin-1). */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'us-ascii' | 'binary';

export function detectEncoding(bytes: Buffer, complete = true): { encoding: TextEncoding; bom: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', bom: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', bom: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', bom: 2 };
  const sample = bytes.subarray(0, 65_536);
  let zeroEven = 0;
  let zeroOdd = 0;
  let control = 0;
  let high = false;
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i] as number;
    if (byte === 0) i % 2 === 0 ? zeroEven++ : zeroOdd++;
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) control += 1;
    else if (byte > 127) high = true;
  }
  const pairs = sample.length / 2;
  if (pairs >= 2 && zeroOdd > pairs * 0.4 && zeroEven < pairs * 0.05) return { encoding: 'utf-16le', bom: 0 };
  if (pairs >= 2 && zeroEven > pairs * 0.4 && zeroOdd < pairs * 0.05) return { encoding: 'utf-16be', bom: 0 };
  if (zeroEven + zeroOdd > sample.length * 0.01 || control > sample.length * 0.1) return { encoding: 'binary', bom: 0 };
  if (!high && sample.length === bytes.length) return { encoding: 'us-ascii', bom: 0 };
  return { encoding: isUtf8(bytes, complete) ? 'utf-8' : 'windows-1252', bom: 0 };
}

/** An incomplete sample may end inside a character. */
function isUtf8(bytes: Buffer, complete: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !complete });
    return true;
  } catch {
    return false;
  }
}

/** Decodes text in its detected encoding; null when the bytes are binary. */
export function decodeText(bytes: Buffer, complete = true): { text: string; encoding: TextEncoding } | null {
  const { encoding, bom } = detectEncoding(bytes, complete);
  if (encoding === 'binary') return null;
  const name = encoding === 'us-ascii' ? 'utf-8' : encoding;
  return { text: new TextDecoder(name).decode(bytes.subarray(bom)), encoding };
}
