import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../text-head.ts';
import { readAvro } from './avro.ts';
import { readSpss, readStata } from './statistics.ts';

type Facts = Record<string, unknown>;

/** Arrays, columns and vaults whose headers tell a little: shape, kind, version, whether they are locked. */
export const dataFile: Extractor = {
  name: 'data',
  version: 1,
  extensions: [
    'npy',
    'avro',
    'arrow',
    'feather',
    'h5',
    'hdf5',
    'mdb',
    'mde',
    'accdb',
    'accde',
    'sav',
    'dta',
    'pkl',
    'pickle',
    'kdbx',
    'kdb',
    'orc',
    'evtx',
  ],
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
      'title',
      'created',
      'generator',
    ].map((key) => `database.${key}`),
  ],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const facts = readers[source.extension]?.(file);
      if (!facts) throw new ExtractError('corrupt', 'The header of the file is missing.');
      return { metadata: { database: facts } };
    }),
};

/** NumPy arrays: the header is a Python dictionary written out. */
function npy(file: FileBytes): Facts | undefined {
  const head = file.read(0, 12);
  if (head.length < 12 || head.toString('latin1', 0, 6) !== '\x93NUMPY') return undefined;
  const version = head[6]!;
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
  const mark = file.read(0, 6).toString('latin1');
  if (mark === 'ARROW1') return { format: 'arrow' };
  return mark.startsWith('FEA1') ? { format: 'feather', version: '1' } : undefined;
}

function hdf5(file: FileBytes): Facts | undefined {
  // A block of another format may stand before the mark, at sizes that double.
  for (const at of [0, 512, 1024, 2048]) {
    const head = file.read(at, 9);
    if (head.length === 9 && head.toString('latin1', 0, 8) === '\x89HDF\r\n\x1a\n') return { format: 'hdf5', version: String(head[8]) };
  }
  return undefined;
}

const accessVersions: Record<number, string> = { 0: '97', 1: '2000-2003', 2: '2007', 3: '2010', 4: '2013', 5: '2016', 6: '2019' };

function msAccess(file: FileBytes): Facts | undefined {
  const head = file.read(0, 32);
  const name = head.toString('latin1', 4, 19).replace(/\0[\s\S]*$/, '');
  if (name !== 'Standard Jet DB' && name !== 'Standard ACE DB') return undefined;
  return withoutEmpty({ format: name.includes('ACE') ? 'accdb' : 'mdb', version: accessVersions[head[20]!] });
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

/** Python objects: only the protocol is told; loading one would run whatever its writer wished. */
function pickle(file: FileBytes): Facts | undefined {
  const head = file.read(0, 2);
  return head[0] === 0x80 && head[1]! <= 5 ? { format: 'pickle', version: String(head[1]) } : undefined;
}

function orc(file: FileBytes): Facts | undefined {
  return file.read(0, 3).toString('latin1') === 'ORC' ? { format: 'orc' } : undefined;
}

/** Windows event logs: chunks and the number of the next record. */
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
};
