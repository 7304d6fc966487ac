/** Headers of scientific data: NetCDF, GRIB, MATLAB and SAS. All counts and lengths are untrusted. */
import { inflateSync } from 'node:zlib';
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../result.ts';
import { fixedField } from '../text/text-file.ts';

type Facts = Record<string, unknown>;

const maxHeader = 4 * 1024 * 1024;
const maxNames = 1000;
const maxNameBytes = 1000;

const damaged = (): never => {
  throw new ExtractError('corrupt', 'The header of the file is damaged.');
};

/** The classic formats of NetCDF. Version 4 is HDF5. */
export function readNetCdf(file: FileBytes): Facts | undefined {
  const bytes = file.read(0, maxHeader);
  const version = bytes[3] ?? 0;
  if (bytes.toString('latin1', 0, 3) !== 'CDF' || ![1, 2, 5].includes(version)) return undefined;
  let at = 4;
  const wide = version === 5;
  const take = (length: number): number => {
    if (!(length >= 0) || at + length > bytes.length) damaged();
    at += length;
    return at - length;
  };
  const count = (): number => (wide ? Number(bytes.readBigUInt64BE(take(8))) : bytes.readUInt32BE(take(4)));
  const padded = (length: number): Buffer => {
    const from = take(length);
    take((4 - (length % 4)) % 4);
    return bytes.subarray(from, from + length);
  };
  const name = (): string => padded(Math.min(count(), maxHeader)).toString('utf8').slice(0, maxNameBytes);
  const list = (tag: number, read: () => void): void => {
    const found = bytes.readUInt32BE(take(4));
    const entries = count();
    if (found === 0 && entries === 0) return;
    if (found !== tag || entries > 100_000) damaged();
    for (let i = 0; i < entries; i++) read();
  };
  const typeBytes = [0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8];
  const attribute = (): [string, string | undefined] => {
    const key = name();
    const type = bytes.readUInt32BE(take(4));
    const value = padded(Math.min(count(), maxHeader) * (typeBytes[type] ?? damaged()));
    return [key, type === 2 ? fixedField(value).slice(0, 500) : undefined];
  };
  const records = count();
  const dimensions: { name: string; size: number }[] = [];
  list(10, () => void dimensions.push({ name: name(), size: count() }));
  const attributes = new Map<string, string>();
  list(12, () => {
    const [key, value] = attribute();
    if (value !== undefined) attributes.set(key, value);
  });
  const variables: string[] = [];
  list(11, () => {
    variables.push(name());
    const rank = count();
    if (rank > 1024) damaged();
    take(rank * (wide ? 8 : 4));
    list(12, attribute);
    take(4 + (wide ? 8 : 4) + (version === 1 ? 4 : 8));
  });
  return withoutEmpty({
    format: 'netcdf',
    version: String(version),
    title: attributes.get('title') ?? attributes.get('Title'),
    generator: attributes.get('institution') ?? attributes.get('source'),
    // The dimension of size 0 grows with the records.
    shape: dimensions.slice(0, maxNames).map(({ size }) => (size === 0 && records < 0xffffffff ? records : size)),
    columns: variables.slice(0, maxNames).map((variable) => ({ name: variable })),
    column_count: variables.length,
  });
}

/** Weather data: a row of messages, each with its length. The first one states the time. */
export function readGrib(file: FileBytes): Facts | undefined {
  let edition: number | undefined;
  let created: string | undefined;
  let messages = 0;
  for (let at = 0; messages < 1_000_000; messages++) {
    const head = file.read(at, 40);
    if (head.length < 16 || head.toString('latin1', 0, 4) !== 'GRIB') break;
    edition ??= head.readUInt8(7);
    if (messages === 0) created = gribTime(head, edition);
    const length = head[7] === 1 ? head.readUIntBE(4, 3) : Number(head.readBigUInt64BE(8));
    if (length < 16) break;
    at += length;
  }
  return messages === 0 ? undefined : withoutEmpty({ format: 'grib', version: String(edition), records: messages, created });
}

function gribTime(head: Buffer, edition: number): string | undefined {
  if (head.length < 36) return undefined;
  const [year, at] = edition === 1 ? [(head.readUInt8(8 + 24) - 1) * 100 + head.readUInt8(8 + 12), 8 + 13] : [head.readUInt16BE(28), 30];
  const [month = 0, day = 0, hour = 0, minute = 0] = head.subarray(at, at + 4);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute));
  return year >= 1900 && year < 2200 && date.getUTCMonth() === month - 1 ? date.toISOString() : undefined;
}

/** MATLAB files since version 5: a line of text, then variables, each packed on its own. Version 7.3 is HDF5 behind the same line. */
export function readMatlab(file: FileBytes): Facts | undefined {
  const head = file.read(0, 128);
  const text = fixedField(head.subarray(0, 116));
  if (head.length < 128 || !text.startsWith('MATLAB ')) return undefined;
  const little = head.toString('latin1', 126, 128) === 'IM';
  const created = /Created on: (.+)$/.exec(text)?.[1]?.trim();
  const version = /^MATLAB (\d+\.\d+)/.exec(text)?.[1];
  const columns: { name: string }[] = [];
  const u32 = (bytes: Buffer, at: number): number =>
    at + 4 > bytes.length ? damaged() : little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  for (let at = 128; version === '5.0' && at + 8 <= file.size && columns.length < maxNames; ) {
    const element = file.need(at, 8);
    const [type, size] = [u32(element, 0), u32(element, 4)];
    const body = type === 15 ? startOfPacked(file.read(at + 8, Math.min(size, 65_536))) : file.read(at, 1024);
    if (body.length >= 8 && u32(body, 0) === 14) columns.push({ name: variableName(body, u32) });
    at += 8 + size;
  }
  return withoutEmpty({
    format: 'matlab',
    version,
    created,
    ...(columns.length > 0 && { columns, column_count: columns.length }),
  });
}

/** The first bytes of a packed variable; none if it is damaged. */
function startOfPacked(packed: Buffer): Buffer {
  try {
    return inflateSync(packed, { finishFlush: 2, maxOutputLength: 4 * 1024 * 1024 }).subarray(0, 1024);
  } catch {
    return Buffer.alloc(0);
  }
}

/** A matrix holds its flags, its dimensions and its name. A name of at most four letters is part of its tag. */
function variableName(matrix: Buffer, u32: (bytes: Buffer, at: number) => number): string {
  const dimensions = u32(matrix, 28);
  const at = 32 + Math.ceil(Math.min(dimensions, 512) / 8) * 8;
  const tag = u32(matrix, at);
  const short = tag >>> 16;
  return short > 0
    ? matrix.toString('latin1', at + 4, at + 4 + Math.min(short, 4))
    : matrix.toString('latin1', at + 8, at + 8 + Math.min(u32(matrix, at + 4), 63));
}

const sasMagic = Buffer.from('000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011', 'hex');

/** SAS data sets: name, times and release from the header. The positions depend on two bytes that state the alignment. */
export function readSas(file: FileBytes): Facts | undefined {
  const head = file.read(0, 512);
  if (head.length < 288 || !head.subarray(0, 32).equals(sasMagic)) return undefined;
  const a1 = head[35] === 0x33 ? 4 : 0;
  const a2 = head[32] === 0x33 ? 4 : 0;
  const little = head[37] === 1;
  const time = (at: number): string | undefined => {
    const seconds = little ? head.readDoubleLE(at) : head.readDoubleBE(at);
    // Seconds since 1960.
    const date = new Date((seconds - 315_619_200) * 1000);
    return date.getUTCFullYear() > 1960 && date.getUTCFullYear() < 2200 ? date.toISOString() : undefined;
  };
  return withoutEmpty({
    format: 'sas7bdat',
    version: fixedField(head.subarray(216 + a1 + a2, 224 + a1 + a2)),
    name: fixedField(head.subarray(92, 156)),
    created: time(164 + a1),
    chunks: little ? head.readUInt32LE(204 + a1) : head.readUInt32BE(204 + a1),
  });
}
