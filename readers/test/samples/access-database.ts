/** A small Access 2000 database with one table. Pages: header, usage maps, the list of objects and its rows, the table and its rows. */
import { u16le, u32le } from './sample.ts';

const pageBytes = 4096;
const page = (type: number, ...parts: Buffer[]): Buffer => {
  const out = Buffer.alloc(pageBytes);
  Buffer.concat([Buffer.from([type, 1, 0, 0]), ...parts]).copy(out);
  return out;
};

interface Column {
  name: string;
  /** 3: 16 bits, 4: 32 bits, 10: text. */
  type: 3 | 4 | 10;
}

/** A page with rows, which fill it from its end. */
function dataPage(owner: number, rows: readonly Buffer[]): Buffer {
  let at = pageBytes;
  const offsets = rows.map((row) => {
    at -= row.length;
    return at;
  });
  const out = page(1, u32le(owner), u32le(0), u16le(rows.length), ...offsets.map(u16le));
  for (const [n, bytes] of rows.entries()) bytes.copy(out, offsets[n]);
  return out;
}

function tablePage(columns: readonly Column[], rowCount: number, usageMap: number): Buffer {
  const out = page(2);
  out.writeUInt32LE(rowCount, 16);
  out.writeUInt16LE(columns.filter(({ type }) => type === 10).length, 43);
  out.writeUInt16LE(columns.length, 45);
  out.writeUInt32LE(usageMap, 55);
  let [fixed, variable] = [0, 0];
  const entries = columns.map(({ type }, n) => {
    const entry = Buffer.alloc(25);
    entry[0] = type;
    entry[5] = n;
    entry[7] = type === 10 ? variable++ : 0;
    entry[15] = type === 10 ? 2 : 3;
    entry.writeUInt16LE(fixed, 21);
    entry.writeUInt16LE(type === 10 ? 100 : type === 4 ? 4 : 2, 23);
    if (type !== 10) fixed += type === 4 ? 4 : 2;
    return entry;
  });
  const names = columns.flatMap(({ name }) => [u16le(name.length * 2), Buffer.from(name, 'utf16le')]);
  Buffer.concat([...entries, ...names]).copy(out, 63);
  return out;
}

function row(columns: readonly Column[], values: readonly (string | number)[]): Buffer {
  const fixed = columns.flatMap(({ type }, n) =>
    type === 4 ? [u32le(values[n] as number)] : type === 3 ? [u16le(values[n] as number)] : [],
  );
  const texts = columns.flatMap(({ type }, n) => (type === 10 ? [Buffer.from(values[n] as string, 'utf16le')] : []));
  const head = Buffer.concat([u16le(columns.length), ...fixed]);
  let at = head.length;
  const offsets = [at, ...texts.map((text) => (at += text.length))];
  return Buffer.concat([head, ...texts, ...offsets.reverse().map(u16le), u16le(texts.length), Buffer.from([(1 << columns.length) - 1])]);
}

/** The bytes that RC4 combines with a text. */
export function rc4Stream(key: Uint8Array, length: number): Buffer {
  const state = Array.from({ length: 256 }, (_, n) => n);
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b] as number, state[a] as number]);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    Array.from({ length }, () => {
      i = (i + 1) & 255;
      j = (j + (state[i] as number)) & 255;
      swap(i, j);
      return state[((state[i] as number) + (state[j] as number)) & 255] as number;
    }),
  );
}

/** Every database encrypts its header with this key. */
const headerKey = Uint8Array.of(0xc7, 0xda, 0x39, 0x6b);

export function makeAccessDatabase(rows: readonly (readonly [number, string])[]): Buffer {
  const header = page(0, Buffer.from('Standard Jet DB\0'), Buffer.from([1, 0, 0, 0]), rc4Stream(headerKey, 128));
  const inlineMap = (first: number) => Buffer.concat([Buffer.from([0]), u32le(first), Buffer.from([1, 0, 0, 0])]);
  const objects: Column[] = [
    { name: 'Id', type: 4 },
    { name: 'Name', type: 10 },
    { name: 'Type', type: 3 },
    { name: 'Flags', type: 4 },
  ];
  const columns: Column[] = [
    { name: 'Berth', type: 4 },
    { name: 'Vessel', type: 10 },
  ];
  return Buffer.concat([
    header,
    dataPage(0, [inlineMap(3), inlineMap(5)]),
    tablePage(objects, 1, 0x100),
    dataPage(2, [row(objects, [4, 'Moorings', 1, 0])]),
    tablePage(columns, rows.length, 0x101),
    dataPage(
      4,
      rows.map((values) => row(columns, values)),
    ),
  ]);
}
