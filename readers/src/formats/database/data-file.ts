import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../result.ts';
import { fixedField } from '../text/text-file.ts';
import { readAccessTables } from './access.ts';
import { readGrib, readMatlab, readNetCdf, readSas } from './scientific.ts';

type Facts = Record<string, unknown>;

/** Data files described by their headers: shape, type, version, encryption. */
export const dataFile: Extractor = {
  name: 'data',
  version: 4,
  text: true,
  extensions:
    'npy avro arrow feather h5 hdf5 he5 mdb mde accdb accde sav dta pkl pickle kdbx kdb orc evtx nc cdf grib grb grib2 grb2 mat sas7bdat'.split(
      ' ',
    ),
  tools: [],
  keys: [
    'database',
    ...[
      'format',
      'version',
      'shape',
      'type',
      'values',
      'columns',
      'column_count',
      'codec',
      'name',
      'encrypted',
      'chunks',
      'records',
      'rows',
      'tables',
      'table_count',
      'title',
      'created',
      'generator',
    ].map((key) => `database.${key}`),
  ],
  read: (source) =>
    withFileBytes(source, async (file): Promise<Extracted> => {
      const reader = readers[source.extension];
      const facts = reader?.(file);
      if (!facts && file.size > 0 && sharedExtensions.has(source.extension)) return { metadata: {} };
      if (!facts) throw new ExtractError('corrupt', 'The file has no valid header.');
      const found = reader === msAccess ? await readAccessTables(file, source) : null;
      return { ...found, metadata: { database: { ...facts, ...found?.metadata } } };
    }),
};

/** Programs of milling machines (.nc) and materials (.mat) have these extensions too, so another content is no damage. */
const sharedExtensions = new Set(['nc', 'mat']);

/** NumPy arrays. The header is a Python dictionary literal. */
function npy(file: FileBytes): Facts | undefined {
  const head = file.read(0, 12);
  if (head.length < 12 || head.toString('latin1', 0, 6) !== '\x93NUMPY') return undefined;
  const version = head.readUInt8(6);
  const [at, length] = version === 1 ? [10, head.readUInt16LE(8)] : [12, head.readUInt32LE(8)];
  if (length > 1 << 20) throw new ExtractError('guard', 'The header of the array is too long.');
  const text = file.need(at, length).toString('latin1');
  const shape = (/'shape':\s*\(([\d,\sL]*)\)/.exec(text)?.[1] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(Number);
  const type = /'descr':\s*'([^']{1,40})'/.exec(text)?.[1] ?? 'structured';
  return { format: 'npy', version: `${version}.${head[7]}`, shape, type, values: shape.reduce((product, size) => product * size, 1) };
}

function arrow(file: FileBytes): Facts | undefined {
  const signature = file.read(0, 6).toString('latin1');
  if (signature === 'ARROW1') return { format: 'arrow' };
  return signature.startsWith('FEA1') ? { format: 'feather', version: '1' } : undefined;
}

function hdf5(file: FileBytes): Facts | undefined {
  // HDF5 allows a user block before the signature, whose size is a power of two.
  for (const at of [0, 512, 1024, 2048]) {
    const head = file.read(at, 9);
    if (head.length === 9 && head.toString('latin1', 0, 8) === '\x89HDF\r\n\x1a\n') return { format: 'hdf5', version: String(head[8]) };
  }
  return undefined;
}

const netCdf = (file: FileBytes): Facts | undefined => readNetCdf(file) ?? hdf5(file);

const accessVersions: Record<number, string> = { 0: '97', 1: '2000-2003', 2: '2007', 3: '2010', 4: '2013', 5: '2016', 6: '2019' };

function msAccess(file: FileBytes): Facts | undefined {
  const head = file.read(0, 32);
  const name = head.toString('latin1', 4, 19).replace(/\0[\s\S]*$/, '');
  if (name !== 'Standard Jet DB' && name !== 'Standard ACE DB') return undefined;
  return withoutEmpty({ format: name.includes('ACE') ? 'accdb' : 'mdb', version: accessVersions[head[20] ?? -1] });
}

function keepass(file: FileBytes): Facts | undefined {
  const head = file.read(0, 12);
  if (head.length < 12 || head.readUInt32LE(0) !== 0x9aa2d903) return undefined;
  const newer = head.readUInt32LE(4) === 0xb54bfb67;
  return {
    format: newer ? 'kdbx' : 'kdb',
    ...(newer ? { version: `${head.readUInt16LE(10)}.${head.readUInt16LE(8)}` } : {}),
    encrypted: true,
  };
}

/** Python pickles. Only the protocol version is reported, because loading a pickle executes code from the file. */
function pickle(file: FileBytes): Facts | undefined {
  const head = file.read(0, 2);
  return head[0] === 0x80 && (head[1] ?? 255) <= 5 ? { format: 'pickle', version: String(head[1]) } : undefined;
}

function orc(file: FileBytes): Facts | undefined {
  return file.read(0, 3).toString('latin1') === 'ORC' ? { format: 'orc' } : undefined;
}

/** Windows event logs: number of chunks and of records. */
function eventLog(file: FileBytes): Facts | undefined {
  const head = file.read(0, 128);
  if (head.length < 128 || head.toString('latin1', 0, 8) !== 'ElfFile\0') return undefined;
  const next = Number(head.readBigUInt64LE(24));
  return {
    format: 'evtx',
    version: `${head.readUInt16LE(38)}.${head.readUInt16LE(36)}`,
    chunks: head.readUInt16LE(42),
    records: Math.max(0, next - 1),
  };
}

const readers: Record<string, (file: FileBytes) => Facts | undefined> = {
  npy,
  avro: readAvro,
  arrow,
  feather: arrow,
  h5: hdf5,
  hdf5,
  he5: hdf5,
  mdb: msAccess,
  mde: msAccess,
  accdb: msAccess,
  accde: msAccess,
  sav: readSpss,
  dta: readStata,
  pkl: pickle,
  pickle,
  kdbx: keepass,
  kdb: keepass,
  orc,
  evtx: eventLog,
  nc: netCdf,
  cdf: netCdf,
  grib: readGrib,
  grb: readGrib,
  grib2: readGrib,
  grb2: readGrib,
  mat: readMatlab,
  sas7bdat: readSas,
};

const maxHeader = 4 * 1024 * 1024;

/** Avro container files. The schema in the header lists the record's fields. */
function readAvro(file: FileBytes): Record<string, unknown> | undefined {
  const bytes = file.read(0, maxHeader);
  if (bytes.toString('latin1', 0, 4) !== 'Obj\x01') return undefined;
  const header = readMap(bytes, 4);
  const schema = parseSchema(header.get('avro.schema'));
  const fields = Array.isArray(schema?.['fields']) ? (schema['fields'] as Record<string, unknown>[]) : [];
  const columns = fields
    .slice(0, 1000)
    .map((field) => ({ name: String(field?.['name'] ?? '').slice(0, 200), type: typeName(field?.['type']) }));
  return withoutEmpty({
    format: 'avro',
    name: typeof schema?.['name'] === 'string' ? schema['name'].slice(0, 200) : undefined,
    columns,
    column_count: fields.length,
    codec: header.get('avro.codec')?.slice(0, 40),
  });
}

function parseSchema(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const schema: unknown = JSON.parse(text ?? 'null');
    return typeof schema === 'object' && schema !== null ? (schema as Record<string, unknown>) : undefined;
  } catch {
    throw new ExtractError('corrupt', 'The schema of the file is damaged.');
  }
}

function typeName(type: unknown): string {
  if (typeof type === 'string') return type.slice(0, 60);
  if (Array.isArray(type)) return type.map(typeName).slice(0, 8).join(' | ');
  return typeof type === 'object' && type !== null && 'type' in type ? typeName(type.type) : 'unknown';
}

/** An Avro map consists of blocks. Each block begins with its entry count; a negative count is followed by the block size in bytes. */
function readMap(bytes: Buffer, from: number): Map<string, string> {
  const found = new Map<string, string>();
  let at = from;
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The header of the file is damaged.');
  };
  const long = (): number => {
    let value = 0;
    for (let i = 0, factor = 1; i < 8; i++, factor *= 128) {
      const byte = bytes[at++] ?? damaged();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    return damaged();
  };
  const text = (): string => {
    const length = long();
    if (!(length >= 0) || at + length > bytes.length) damaged();
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  for (let count = long(); count !== 0; count = long()) {
    if (count < 0) long();
    if (Math.abs(count) > 1000) damaged();
    for (let i = 0; i < Math.abs(count); i++) found.set(text(), text());
  }
  return found;
}

/** SPSS: program, number of cases, creation date and label from the fixed header. */
function readSpss(file: FileBytes): Record<string, unknown> | undefined {
  const head = file.read(0, 176);
  if (head.length < 176 || !/^\$FL[23]$/.test(head.toString('latin1', 0, 4))) return undefined;
  // The layout code is 2 or 3, which reveals the byte order.
  const little = [2, 3].includes(head.readInt32LE(64));
  const number = (at: number): number => (little ? head.readInt32LE(at) : head.readInt32BE(at));
  const rows = number(80);
  return withoutEmpty({
    format: 'sav',
    generator: fixedField(head.subarray(4, 64)).replace(/^@\(#\)\s*/, ''),
    rows: rows >= 0 ? rows : undefined,
    created: fixedField(head.subarray(84, 101)),
    title: fixedField(head.subarray(109, 173)),
  });
}

/** Stata: release, number of variables and observations, from the XML-like header or the older binary one. */
function readStata(file: FileBytes): Record<string, unknown> | undefined {
  const head = file.read(0, 512);
  const text = head.toString('latin1');
  const release = /^<stata_dta><header><release>(\d{3})<\/release>/.exec(text)?.[1];
  if (release !== undefined) {
    const little = text.includes('<byteorder>LSF</byteorder>');
    const [k, n] = [text.indexOf('<K>') + 3, text.indexOf('<N>') + 3];
    if (k < 3 || n < 3 || n + 8 > head.length) return { format: 'dta', version: release };
    const variables = little ? head.readUInt16LE(k) : head.readUInt16BE(k);
    return { format: 'dta', version: release, column_count: variables, rows: little ? head.readUInt32LE(n) : head.readUInt32BE(n) };
  }
  if (head.length < 109 || ![113, 114, 115].includes(head.readUInt8(0))) return undefined;
  const little = head[1] === 2;
  return withoutEmpty({
    format: 'dta',
    version: String(head[0]),
    column_count: little ? head.readUInt16LE(4) : head.readUInt16BE(4),
    rows: little ? head.readUInt32LE(6) : head.readUInt32BE(6),
    title: fixedField(head.subarray(10, 91)),
  });
}
