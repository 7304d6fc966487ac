/**
 * Microsoft Project 2000 and later: names, notes and text fields of tasks, resources and assignments. Each table is a storage with a list
 * of fields (`VarMeta`) and their values (`Var2Data`). The numbers of fields are those that MPXJ documents.
 */
import type { BodyText } from '../../body-text.ts';
import { codePageDecoder } from '../../input/charset.ts';
import { readRtf } from '../text/rtf-text.ts';
import type { CompoundFile } from './compound-file.ts';

const STREAM_MAX = 64 * 1024 * 1024;
const MAX_FIELDS = 1_000_000;
const SHARED_MAX = 1024 * 1024;
const VAR_META_MAGIC = 0xfadfadba;

interface Table {
  folder: string;
  /** Fields in two bytes per character, in the order in which they are indexed. */
  texts: readonly number[];
  notes: number;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

const tables: readonly (Table & { maps: readonly number[]; old: Table })[] = [
  {
    folder: 'TBkndTask',
    texts: [14, 112, 51, 54, 57, 60, 63, ...range(66, 70), ...range(317, 336)],
    notes: 15,
    maps: [131_092, 50_331_668],
    old: { folder: 'TBkndTask', texts: [11, 12, ...range(14, 23), ...range(90, 109)], notes: 144 },
  },
  {
    folder: 'TBkndRsc',
    texts: [1, 2, 3, 10, 35, 299, 8, 9, ...range(30, 32), ...range(97, 101), ...range(225, 244)],
    notes: 20,
    maps: [131_093, 50_331_669],
    old: { folder: 'TBkndRsc', texts: [1, ...range(3, 6), 8, ...range(10, 39)], notes: 124 },
  },
  {
    folder: 'TBkndAssn',
    texts: [],
    notes: 71,
    maps: [131_095, 50_331_671],
    old: { folder: 'TBkndAssn', texts: [], notes: 6 },
  },
];
const versions = [
  { folder: '   114', settings: 'Props14', short: false },
  { folder: '   112', settings: 'Props12', short: false },
  { folder: '   19', settings: 'Props9', short: true },
] as const;

/** Collects the text of a project. Returns false if it has a password. */
export function collectProjectText(ole: CompoundFile, body: BodyText): boolean {
  const version = versions.find(({ folder }) => ole.has(`${folder}/TBkndTask/VarMeta`));
  if (version === undefined) return true;
  const settings = readSettings(ole.stream(version.settings, STREAM_MAX));
  if (needsPassword(settings)) return false;
  const maps = version.short ? readSettings(unlocked(ole.stream(`${version.folder}/Props`, STREAM_MAX), settings)) : undefined;
  for (const table of tables) {
    const folder = `${version.folder}/${table.folder}`;
    const meta = ole.stream(`${folder}/VarMeta`, STREAM_MAX);
    const values = ole.stream(`${folder}/Var2Data`, STREAM_MAX);
    const stored = maps === undefined ? table : storedTable(table, maps);
    if (meta !== undefined && values !== undefined) collectTable(stored, readFields(meta, version.short), values, body);
    if (body.full()) {
      body.markTruncated();
      break;
    }
  }
  return true;
}

/** Project 2000 to 2003 numbers fields in one byte. Later programs that write for it choose other numbers and state them in a map. */
function storedTable(table: (typeof tables)[number], settings: Settings): Table {
  const map = table.maps.map((key) => settings.get(key)).find((found) => found !== undefined);
  if (map === undefined) return table.old;
  const keys = new Map<number, number>();
  for (let at = 0; at + mapRow <= map.length; at += mapRow) keys.set(map.readUInt16LE(at + 12), map[at + 6] as number);
  const stored = (field: number): number => keys.get(field) ?? -1;
  return { folder: table.folder, texts: table.texts.map(stored), notes: stored(table.notes) };
}

const mapRow = 28;

/** The places of values by the number of a task or resource and the number of a field. */
type Fields = Map<number, Map<number, number>>;

function readFields(meta: Buffer, short: boolean): Fields {
  const fields: Fields = new Map();
  // Some files have zero in place of the mark.
  if (meta.length < 24 || ![0, VAR_META_MAGIC].includes(meta.readUInt32LE(0))) return fields;
  const size = short ? 8 : 12;
  const count = Math.min(meta.readUInt32LE(8), Math.floor((meta.length - 24) / size), MAX_FIELDS);
  for (let i = 0; i < count; i++) {
    const at = 24 + i * size;
    const id = short ? meta.readUIntLE(at, 3) : meta.readUInt32LE(at);
    const field = short ? (meta[at + 3] as number) : meta.readUInt16LE(at + 8);
    const row = fields.get(id) ?? new Map<number, number>();
    row.set(field, meta.readUInt32LE(at + 4));
    fields.set(id, row);
  }
  return fields;
}

function collectTable(table: Table, fields: Fields, values: Buffer, body: BodyText): void {
  // Fields may share a value. Without a limit, a small file could make a few large ones count a million times.
  let left = 2 * values.length + SHARED_MAX;
  const take = (at: number | undefined): Buffer | undefined => {
    const value = valueAt(values, at);
    left -= value?.length ?? 0;
    return left < 0 ? undefined : value;
  };
  for (const row of fields.values()) {
    for (const field of table.texts) {
      const value = take(row.get(field));
      if (value === undefined) continue;
      body.add(value.toString('utf16le').split('\0')[0] as string);
      body.break();
    }
    const notes = take(row.get(table.notes));
    if (notes !== undefined) collectNotes(notes, body);
    if (left < 0) body.markTruncated();
    if (left < 0 || body.full()) return;
  }
}

/** A value begins with its length. */
function valueAt(values: Buffer, at: number | undefined): Buffer | undefined {
  if (at === undefined || at + 4 > values.length) return undefined;
  const length = values.readUInt32LE(at);
  return length === 0 || at + 4 + length > values.length ? undefined : values.subarray(at + 4, at + 4 + length);
}

function collectNotes(notes: Buffer, body: BodyText): void {
  if (notes.subarray(0, 5).toString('latin1') === '{\\rtf') readRtf(notes, body);
  else body.add(codePageDecoder(1252).decode(notes).split('\0')[0] as string);
  body.break();
}

type Settings = ReadonlyMap<number, Buffer>;

/** Settings follow each other, each with its length and key. */
function readSettings(bytes: Buffer | undefined): Settings {
  const settings = new Map<number, Buffer>();
  if (bytes === undefined || bytes.length < 16) return settings;
  for (let at = 16, left = bytes.readUInt16LE(12); left > 0 && at + 12 <= bytes.length; left--) {
    const length = bytes.readUInt32LE(at);
    settings.set(bytes.readUInt32LE(at + 4), bytes.subarray(at + 12, at + 12 + length));
    at += 12 + length + (length % 2);
  }
  return settings;
}

const passwordFlag = 893_386_752;
const passwordHash = 893_386_756;
const maskCode = 893_386_759;

/** The second bit of the flag is a password for writing only. Without a hash of the password there is none. */
function needsPassword(settings: Settings): boolean {
  return ((settings.get(passwordFlag)?.[0] ?? 0) & 1) !== 0 && (settings.get(passwordHash)?.length ?? 0) > 0;
}

/** With any password, some streams are combined with one byte, which the settings state. */
function unlocked(bytes: Buffer | undefined, settings: Settings): Buffer | undefined {
  const code = settings.get(maskCode)?.[0] ?? 0;
  if (bytes === undefined || code === 0 || (settings.get(passwordFlag)?.[0] ?? 0) === 0) return bytes;
  return Buffer.from(bytes.map((byte) => byte ^ (0xff - code)));
}
