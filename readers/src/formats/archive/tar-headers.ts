import { ExtractError } from '../../contract.ts';
import { decodeMemberName } from './member-name.ts';

/**
 * Reads tar headers block by block and tells the caller how many bytes to skip after each. States: `header` (a 512-byte block is due)
 * and `name` (the body of a long-name or pax record is due, whose facts belong to the next header). Bodies of files are skipped by the
 * caller: by seeking in a plain file, by counting in a stream. Knows ustar, GNU long names, base-256 sizes and pax path and size.
 */
export interface TarMember {
  name: string;
  size: number;
  directory: boolean;
}

export interface TarStep {
  member?: TarMember;
  /** Bytes of body to hand to `name` (long names), already rounded to blocks. */
  collect?: number;
  /** Bytes to pass over before the next header. */
  skip: number;
  end?: boolean;
}

export const blockBytes = 512;
const maxNameRecordBytes = 1 << 20;

const toBlocks = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

export function createTarReader() {
  let longName: string | undefined;
  let longSize: number | undefined;
  let pending: { kind: 'name' | 'pax' | 'ignore'; size: number } | undefined;
  let seenHeader = false;

  return {
    /** Takes one 512-byte header block. */
    header(block: Buffer): TarStep {
      if (block.every((byte) => byte === 0)) {
        // An archive of nothing is a run of zero blocks; a file of other zeroes is none, which the caller sees by the missing header.
        return { skip: 0, end: true };
      }
      verifyChecksum(block, seenHeader);
      seenHeader = true;
      const kind = String.fromCharCode(block[156] ?? 0);
      const size = longSize ?? readTarNumber(block.subarray(124, 136));
      if (!Number.isSafeInteger(size) || size < 0) throw new ExtractError('corrupt', 'A tar header states an impossible size.');
      if (kind === 'L' || kind === 'x' || kind === 'K' || kind === 'g') {
        if (size > maxNameRecordBytes) throw new ExtractError('guard', 'A tar name record is larger than 1 MiB.');
        pending = { kind: kind === 'L' ? 'name' : kind === 'x' ? 'pax' : 'ignore', size };
        return { collect: toBlocks(size), skip: 0 };
      }
      const name = longName ?? shortName(block);
      longName = undefined;
      longSize = undefined;
      const directory = kind === '5' || name.endsWith('/');
      // Links and devices carry no body, whatever their size field says.
      const body = '1234567'.includes(kind) && kind !== '7' ? 0 : size;
      return { member: { name, size: directory ? 0 : body, directory }, skip: toBlocks(body) };
    },
    /** Takes the body asked for by `collect`. */
    name(body: Buffer): void {
      const bytes = body.subarray(0, pending?.size ?? 0);
      if (pending?.kind === 'name') longName = decodeMemberName(bytes).replace(/\0+$/, '');
      else if (pending?.kind === 'pax') {
        const record = readPax(bytes);
        longName = record.get('path') ?? longName;
        const size = Number(record.get('GNU.sparse.realsize') ?? record.get('size') ?? Number.NaN);
        if (Number.isSafeInteger(size) && size >= 0 && record.has('size')) longSize = Number(record.get('size'));
      }
      pending = undefined;
    },
    get started(): boolean {
      return seenHeader;
    },
  };
}

function verifyChecksum(block: Buffer, later: boolean): void {
  let sum = 8 * 32;
  for (let i = 0; i < blockBytes; i++) if (i < 148 || i >= 156) sum += block[i]!;
  if (sum !== readTarNumber(block.subarray(148, 156))) {
    throw new ExtractError('corrupt', later ? 'The tar archive is damaged.' : 'This is not a tar archive.');
  }
}

function readTarNumber(field: Buffer): number {
  if ((field[0]! & 0x80) !== 0) {
    let value = BigInt(field[0]! & 0x7f);
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
