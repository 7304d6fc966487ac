/** The summary streams of a compound document: title, author, dates and counts. */
import { TextDecoder } from 'node:util';

type PropertyValue = string | number | Date;

const MAX_PROPERTIES = 200;

/** Properties by number; what is damaged is left out. */
export function readPropertySet(bytes: Buffer): Map<number, PropertyValue> {
  const found = new Map<number, PropertyValue>();
  if (bytes.length < 48 || bytes.readUInt16LE(0) !== 0xfffe) return found;
  const section = bytes.readUInt32LE(44);
  if (section + 8 > bytes.length) return found;
  const count = Math.min(bytes.readUInt32LE(section + 4), MAX_PROPERTIES);
  const places: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    const at = section + 8 + i * 8;
    if (at + 8 > bytes.length) break;
    places.push([bytes.readUInt32LE(at), section + bytes.readUInt32LE(at + 4)]);
  }
  const codepage = places.find(([id]) => id === 1)?.[1];
  const page = codepage !== undefined && codepage + 6 <= bytes.length ? bytes.readUInt16LE(codepage + 4) : 1252;
  for (const [id, at] of places) {
    const value = readValue(bytes, at, page);
    if (value !== undefined) found.set(id, value);
  }
  return found;
}

function readValue(bytes: Buffer, at: number, page: number): PropertyValue | undefined {
  if (at + 8 > bytes.length) return undefined;
  switch (bytes.readUInt16LE(at)) {
    case 2:
      return bytes.readInt16LE(at + 4);
    case 3:
      return bytes.readInt32LE(at + 4);
    case 30: {
      const length = Math.min(bytes.readUInt32LE(at + 4), 65_536);
      return decodeString(bytes.subarray(at + 8, at + 8 + length), page);
    }
    case 31: {
      const length = Math.min(bytes.readUInt32LE(at + 4), 32_768) * 2;
      return decodeString(bytes.subarray(at + 8, at + 8 + length), 1200);
    }
    case 64: {
      if (at + 12 > bytes.length) return undefined;
      const ticks = bytes.readBigUInt64LE(at + 4);
      const date = new Date(Number(ticks / 10_000n) - 11_644_473_600_000);
      // Small numbers are spans of time (editing time), not moments.
      return date.getUTCFullYear() > 1970 && date.getUTCFullYear() < 2200 ? date : undefined;
    }
    default:
      return undefined;
  }
}

const codePages: Record<number, string> = {
  1200: 'utf-16le',
  65001: 'utf-8',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
};

function decodeString(bytes: Buffer, page: number): string | undefined {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(codePages[page] ?? `windows-${page}`);
  } catch {
    decoder = new TextDecoder('windows-1252');
  }
  const text = decoder.decode(bytes).split('\0')[0]?.trim();
  return text === '' ? undefined : text;
}
