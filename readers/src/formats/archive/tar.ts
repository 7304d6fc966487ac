import { ExtractError, type Extractor } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { decompressStream, detectCompression } from './decompress-stream.ts';
import { archiveKeys, createMemberList, decodeMemberName } from './member-list.ts';

/**
 * Tar archives. A plain tar is read by seeking between headers. A compressed tar is decompressed as a stream, and only member names and
 * sizes are kept.
 */
export const tarArchive: Extractor = {
  name: 'tar',
  version: 2,
  text: false,
  extensions: [
    ...['tar', 'tgz', 'taz', 'tbz', 'tbz2', 'tb2', 'txz', 'tzst', 'tlz', 'tlzma', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', 'tar.zstd'],
    ...['tar.lzma', 'tar.z', 'tar.br', 'ova', 'gem', 'tazpkg', 'eopkg', 'xbps'],
  ],
  tools: [],
  keys: [...archiveKeys, 'archive.packing'],
  read: (source) =>
    withFileBytes(source, async (file) => {
      const members = createMemberList(source.limits);
      const compression = detectCompression(file, source.extension);
      if (compression === 'none') {
        walkTarFile(file, (member) => members.add(member));
        return members.finish('tar');
      }
      const sink = createTarSink((member) => members.add(member));
      const end = await decompressStream(file, compression, source.limits, source.limits.decompressedMaxBytes, (chunk) => sink.push(chunk));
      if (end === 'complete') sink.finish();
      if (end === 'limit') members.markTruncated();
      return members.finish('tar', { packing: compression === '7z' ? source.extension.split('.').pop() : compression });
    }),
};

interface TarMember {
  name: string;
  size: number;
  directory: boolean;
}

interface TarStep {
  member?: TarMember;
  /** Bytes of a record to pass to `record`, rounded up to whole blocks. */
  collect?: number;
  /** Bytes to skip before the next header. */
  skip: number;
  end?: boolean;
}

const blockBytes = 512;
const maxNameRecordBytes = 1 << 20;

const toBlocks = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

/**
 * Parses tar headers block by block and reports how many bytes the caller must skip. States: `header` (expects a 512-byte block) and `record`
 * (expects the body of a long-name or pax record, which applies to the next header, or a map of holes, which belongs to the last one).
 * Supports ustar, GNU long names, base-256 sizes, sparse files, and pax path and size.
 */
function createTarReader() {
  let longName: string | undefined;
  let longSize: number | undefined;
  let sizeWithHoles: number | undefined;
  let pendingRecord: { kind: 'name' | 'pax' | 'ignore'; size: number } | { kind: 'holes'; bodyBytes: number } | undefined;
  let seenHeader = false;

  return {
    /** Parses one 512-byte header block. */
    header(block: Buffer): TarStep {
      if (block.every((byte) => byte === 0)) {
        // A zero block ends the archive. An archive that begins with one is empty.
        return { skip: 0, end: true };
      }
      verifyChecksum(block, seenHeader);
      seenHeader = true;
      const kind = String.fromCharCode(block[156] ?? 0);
      const size = longSize ?? readTarNumber(block.subarray(124, 136));
      if (!Number.isSafeInteger(size) || size < 0) throw new ExtractError('corrupt', 'A tar header declares an impossible size.');
      if (kind === 'L' || kind === 'x' || kind === 'K' || kind === 'g') {
        if (size > maxNameRecordBytes) throw new ExtractError('guard', 'A tar name record is larger than 1 MiB.');
        pendingRecord = { kind: kind === 'L' ? 'name' : kind === 'x' ? 'pax' : 'ignore', size };
        return { collect: toBlocks(size), skip: 0 };
      }
      const name = longName ?? shortName(block);
      const sparse = kind === 'S' ? readTarNumber(block.subarray(483, 495)) : sizeWithHoles;
      longName = undefined;
      longSize = undefined;
      sizeWithHoles = undefined;
      const directory = kind === '5' || name.endsWith('/');
      // Links and devices have no body, even if their size field is not zero.
      const body = '1234567'.includes(kind) && kind !== '7' ? 0 : size;
      const member = { name, size: directory ? 0 : (sparse ?? body), directory };
      if (kind !== 'S' || block[482] === 0) return { member, skip: toBlocks(body) };
      pendingRecord = { kind: 'holes', bodyBytes: toBlocks(body) };
      return { member, collect: blockBytes, skip: 0 };
    },
    /** Parses the record requested by `collect`. */
    record(body: Buffer): TarStep {
      if (pendingRecord?.kind === 'holes') {
        // Each block of the map says whether another one follows.
        if (body[504] !== 0) return { collect: blockBytes, skip: 0 };
        const { bodyBytes } = pendingRecord;
        pendingRecord = undefined;
        return { skip: bodyBytes };
      }
      const bytes = body.subarray(0, pendingRecord?.size ?? 0);
      if (pendingRecord?.kind === 'name') longName = decodeMemberName(bytes).replace(/\0+$/, '');
      else if (pendingRecord?.kind === 'pax') {
        const record = readPax(bytes);
        longName = record.get('GNU.sparse.name') ?? record.get('path') ?? longName;
        longSize = sizeIn(record.get('size')) ?? longSize;
        sizeWithHoles = sizeIn(record.get('GNU.sparse.realsize') ?? record.get('GNU.sparse.size')) ?? sizeWithHoles;
      }
      pendingRecord = undefined;
      return { skip: 0 };
    },
    get started(): boolean {
      return seenHeader;
    },
  };
}

function sizeIn(text: string | undefined): number | undefined {
  const size = Number(text ?? Number.NaN);
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

function verifyChecksum(block: Buffer, later: boolean): void {
  let sum = 8 * 32;
  for (let i = 0; i < blockBytes; i++) if (i < 148 || i >= 156) sum += block[i] ?? 0;
  if (sum !== readTarNumber(block.subarray(148, 156))) {
    throw new ExtractError('corrupt', later ? 'The tar archive is damaged.' : 'The file is not a tar archive.');
  }
}

function readTarNumber(field: Buffer): number {
  const first = field.readUInt8(0);
  if ((first & 0x80) !== 0) {
    let value = BigInt(first & 0x7f);
    for (const byte of field.subarray(1)) value = (value << 8n) | BigInt(byte);
    return Number(value);
  }
  const digits = field
    .toString('latin1')
    .replace(/[\0 ]+/g, ' ')
    .trim();
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function fieldText(field: Buffer): string {
  const end = field.indexOf(0);
  return decodeMemberName(end === -1 ? field : field.subarray(0, end));
}

function shortName(block: Buffer): string {
  const name = fieldText(block.subarray(0, 100));
  const prefix = block.toString('latin1', 257, 262) === 'ustar' && block[263] === 0x30 ? fieldText(block.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readPax(body: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = space === -1 ? 0 : Number(body.toString('latin1', at, space));
    if (!(length > 0) || at + length > body.length) break;
    const equals = body.indexOf(0x3d, space);
    if (equals > space && equals < at + length) {
      fields.set(body.toString('latin1', space + 1, equals), decodeMemberName(body.subarray(equals + 1, at + length - 1)));
    }
    at += length;
  }
  return fields;
}

const truncatedTar = (): ExtractError => new ExtractError('corrupt', 'The file ends too early.');

/** Called for each member. Returning false stops the walk. */
type TarVisitor = (member: TarMember, bodyOffset: number) => boolean;

/** Reads a plain tar by seeking from header to header, so the cost does not depend on member sizes. */
export function walkTarFile(file: FileBytes, visit: TarVisitor): void {
  const reader = createTarReader();
  let at = 0;
  while (at + blockBytes <= file.size) {
    const step = reader.header(file.need(at, blockBytes));
    at += blockBytes;
    if (step.end) break;
    let { collect, skip } = step;
    while (collect !== undefined) {
      const record = file.need(at, collect);
      at += collect;
      ({ collect, skip } = reader.record(record));
    }
    if (step.member && !visit(step.member, at)) return;
    if (skip > file.size - at) throw truncatedTar();
    at += skip;
  }
  if (!reader.started && (file.size < blockBytes || !firstBlockIsZero(file)))
    throw new ExtractError('corrupt', 'The file is not a tar archive.');
}

function firstBlockIsZero(file: FileBytes): boolean {
  return file.need(0, blockBytes).every((byte) => byte === 0);
}

/** Parses a decompressed tar from chunks of any size. `push` returns false once the visitor has stopped. */
export function createTarSink(visit: TarVisitor) {
  const reader = createTarReader();
  let skip = 0;
  let need = blockBytes;
  let collecting = false;
  let done = false;
  let total = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  const handleBlock = (block: Buffer): void => {
    pending = [];
    pendingBytes = 0;
    if (collecting) {
      const next = reader.record(block);
      collecting = next.collect !== undefined;
      skip = next.skip;
      need = blockBytes;
      return;
    }
    const step = reader.header(block);
    if (step.end) {
      done = true;
      return;
    }
    collecting = step.collect !== undefined && step.collect > 0;
    need = collecting ? (step.collect ?? 0) : blockBytes;
    if (step.member && !visit(step.member, total)) done = true;
    skip = step.skip;
  };

  return {
    push(chunk: Buffer): boolean {
      let at = 0;
      while (!done && at < chunk.length) {
        const jump = Math.min(skip, chunk.length - at);
        skip -= jump;
        at += jump;
        if (at >= chunk.length) break;
        const piece = chunk.subarray(at, at + need - pendingBytes);
        pending.push(piece);
        pendingBytes += piece.length;
        at += piece.length;
        total += piece.length;
        if (pendingBytes === need) handleBlock(pending.length === 1 ? piece : Buffer.concat(pending));
      }
      return !done;
    },
    /** Must be called at the end of the stream. Throws if a member is incomplete or no header was found. */
    finish(): void {
      if (done) return;
      if (skip > 0 || pendingBytes > 0) throw truncatedTar();
      if (!reader.started) throw new ExtractError('corrupt', 'The file is not a tar archive.');
    },
  };
}
