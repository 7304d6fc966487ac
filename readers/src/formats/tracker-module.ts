import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { boundedText } from './result.ts';

interface TrackerModule {
  format: string;
  title: string;
  channels?: number;
  instruments: string[];
  patterns?: number;
  songs?: number;
}

const printableField = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/\0[\s\S]*$/, '')
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();

/** Tracker music: title and instrument names, which composers often use for messages. */
export const trackerModule: Extractor = {
  name: 'tracker-module',
  version: 1,
  text: true,
  extensions: ['s3m', 'it', 'xm', 'mtm', 'sid', 'sf2', 'sf3'],
  tools: [],
  keys: ['module', ...['format', 'channels', 'patterns', 'songs', 'instruments'].map((key) => `module.${key}`)],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const found = readers.map((reader) => reader(file)).find((module) => module !== undefined);
      if (!found) throw new ExtractError('corrupt', 'The song has no valid header.');
      const { title, ...facts } = found;
      const text = boundedText(found.instruments.join('\n'), source.limits.bodyTextMaxChars);
      return { metadata: { module: facts }, ...(title === '' ? {} : { title }), ...text };
    }),
};

/** Reads names at the given offsets. Offsets outside the file are ignored. */
function namesAt(file: FileBytes, offsets: number[], offset: number, length: number): string[] {
  return offsets
    .slice(0, 256)
    .map((start) => printableField(file.read(start + offset, length)))
    .filter((name) => name !== '');
}

function s3m(file: FileBytes): TrackerModule | undefined {
  const head = file.read(0, 96);
  if (head.length < 96 || head.toString('latin1', 44, 48) !== 'SCRM') return undefined;
  const [orders, instruments, patterns] = [head.readUInt16LE(32), head.readUInt16LE(34), head.readUInt16LE(36)];
  const table = file.read(96 + orders, Math.min(instruments, 256) * 2);
  const offsets = Array.from({ length: Math.floor(table.length / 2) }, (_, i) => table.readUInt16LE(i * 2) * 16);
  const channels = [...head.subarray(64, 96)].filter((setting) => setting < 128).length;
  return { format: 's3m', title: printableField(head.subarray(0, 28)), channels, patterns, instruments: namesAt(file, offsets, 48, 28) };
}

function impulse(file: FileBytes): TrackerModule | undefined {
  const head = file.read(0, 192);
  if (head.length < 192 || head.toString('latin1', 0, 4) !== 'IMPM') return undefined;
  const [orders, instruments, samples, patterns] = [32, 34, 36, 38].map((at) => head.readUInt16LE(at)) as [number, number, number, number];
  const table = file.read(192 + orders + instruments * 4, Math.min(samples, 256) * 4);
  const offsets = Array.from({ length: Math.floor(table.length / 4) }, (_, i) => table.readUInt32LE(i * 4));
  const channels = [...head.subarray(64, 128)].filter((setting) => setting < 128).length;
  return { format: 'it', title: printableField(head.subarray(4, 30)), channels, patterns, instruments: namesAt(file, offsets, 20, 26) };
}

/** Instrument names follow the variable-length patterns and are not read. */
function extendedModule(file: FileBytes): TrackerModule | undefined {
  const head = file.read(0, 80);
  if (head.length < 80 || head.toString('latin1', 0, 17) !== 'Extended Module: ') return undefined;
  return {
    format: 'xm',
    title: printableField(head.subarray(17, 37)),
    channels: head.readUInt16LE(68),
    patterns: head.readUInt16LE(70),
    instruments: [],
  };
}

function multiTracker(file: FileBytes): TrackerModule | undefined {
  const head = file.read(0, 66);
  if (head.length < 66 || head.toString('latin1', 0, 3) !== 'MTM') return undefined;
  const samples = Math.min(head.readUInt8(30), 64);
  return {
    format: 'mtm',
    title: printableField(head.subarray(4, 24)),
    channels: head.readUInt8(33),
    instruments: namesAt(
      file,
      Array.from({ length: samples }, (_, i) => 66 + i * 37),
      0,
      22,
    ),
  };
}

/** Commodore 64 music: the header holds title, author and year. */
function sid(file: FileBytes): TrackerModule | undefined {
  const head = file.read(0, 118);
  if (head.length < 118 || !/^[PR]SID$/.test(head.toString('latin1', 0, 4))) return undefined;
  const lines = [head.subarray(54, 86), head.subarray(86, 118)].map(printableField).filter((line) => line !== '');
  return { format: 'sid', title: printableField(head.subarray(22, 54)), songs: head.readUInt16BE(14), instruments: lines };
}

/** Sound banks: name and author from the INFO list. */
function soundBank(file: FileBytes): TrackerModule | undefined {
  const head = file.read(0, 65_536);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'sfbk') return undefined;
  const field = (tag: string): string => {
    const at = head.indexOf(tag, 12, 'latin1');
    return at === -1 || at + 8 > head.length
      ? ''
      : printableField(head.subarray(at + 8, at + 8 + Math.min(256, head.readUInt32LE(at + 4))));
  };
  return { format: 'sf2', title: field('INAM'), instruments: [field('IENG'), field('ICOP'), field('ICMT')].filter((line) => line !== '') };
}

const readers = [s3m, impulse, extendedModule, multiTracker, sid, soundBank];
