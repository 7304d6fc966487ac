/** Files of Microsoft Project: tables of fields whose values are kept apart. */
import { makeCompoundFile, makePropertySet } from './compound-files.ts';
import { type Sample, u16le, u32le } from './sample.ts';

export interface ProjectRow {
  id: number;
  /** Values by the number of their field: text in two bytes per character, notes as bytes. */
  fields: Record<number, string | Buffer>;
}

function makeTable(rows: readonly ProjectRow[], short: boolean, shared: boolean): { VarMeta: Buffer; Var2Data: Buffer } {
  const entries: Buffer[] = [];
  const values: Buffer[] = [];
  let at = 0;
  for (const { id, fields } of rows)
    for (const [field, value] of Object.entries(fields)) {
      const bytes = typeof value === 'string' ? Buffer.from(`${value}\0`, 'utf16le') : value;
      const number = Number(field);
      const place = shared ? 0 : at;
      if (short) entries.push(u32le((number << 24) | id), u32le(place));
      else entries.push(u32le(id), u32le(place), u16le(number), u16le(0));
      if (shared && at > 0) continue;
      values.push(u32le(bytes.length), bytes);
      at += 4 + bytes.length;
    }
  const count = rows.reduce((sum, row) => sum + Object.keys(row.fields).length, 0);
  const head = [0xfadfadba, 0, count, 0, 0, at].map((number) => u32le(number));
  return { VarMeta: Buffer.concat([...head, ...entries]), Var2Data: Buffer.concat(values) };
}

const maskCode = 0x3c;

/** Settings of a file: each value with its length and key. */
function makeSettings(values: readonly (readonly [number, Buffer])[]): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt16LE(values.length, 12);
  const parts = values.map(([key, value]) =>
    Buffer.concat([u32le(value.length), u32le(key), u32le(0), value, Buffer.alloc(value.length % 2)]),
  );
  return Buffer.concat([head, ...parts]);
}

/** The keys that fields of tasks have in a file for Project 2000, by the numbers that they have since 2007. */
function makeFieldMap(keys: Readonly<Record<number, number>>): Buffer {
  const rows = Object.entries(keys).map(([field, key]) => {
    const row = Buffer.alloc(28);
    row.writeUInt16LE(0xffff, 4);
    row[6] = key;
    row.writeUInt32LE(0x0b40_0000 + Number(field), 12);
    return row;
  });
  return Buffer.concat(rows);
}

/**
 * A file of Project 2000 to 2003 (9), 2007 (12), or 2010 and later (14). `password` is the flag for reading (1) and writing (2). With any,
 * some streams are masked.
 */
export function makeProject(
  version: 9 | 12 | 14,
  { tasks = [], resources = [], assignments = [] }: Partial<Record<'tasks' | 'resources' | 'assignments', readonly ProjectRow[]>>,
  { password = 0, taskKeys, shared = false }: { password?: number; taskKeys?: Readonly<Record<number, number>>; shared?: boolean } = {},
): Buffer {
  const folder = `   1${version}`;
  const streams: Record<string, Buffer> = {
    '\u0005SummaryInformation': makePropertySet({ 2: 'Harbour works' }),
    [`Props${version}`]: makeSettings([
      [893_386_752, Buffer.from([password])],
      ...(password > 0 ? [[893_386_756, Buffer.from('hash')] as const] : []),
      [893_386_759, Buffer.from([maskCode])],
    ]),
  };
  if (taskKeys !== undefined) {
    const settings = makeSettings([[131_092, makeFieldMap(taskKeys)]]);
    streams[`${folder}/Props`] = password === 0 ? settings : Buffer.from(settings.map((byte) => byte ^ (0xff - maskCode)));
  }
  for (const [name, rows] of [
    ['TBkndTask', tasks],
    ['TBkndRsc', resources],
    ['TBkndAssn', assignments],
  ] as const)
    for (const [stream, bytes] of Object.entries(makeTable(rows, version === 9, shared))) streams[`${folder}/${name}/${stream}`] = bytes;
  return makeCompoundFile(streams);
}

export const projectSamples: readonly Sample[] = [
  {
    extractor: 'legacy-office',
    filename: 'schedule.mpp',
    build: () => makeProject(14, { tasks: [{ id: 1, fields: { 14: 'Dredge the basin' } }] }),
    title: 'Harbour works',
    word: 'Dredge',
  },
];
