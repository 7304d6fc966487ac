import { inflateSync } from 'node:zlib';
import { ExtractError } from '../../contract.ts';
import { objectIdentifier } from '../certificate/der.ts';

/**
 * The payload of a signed or encrypted message (p7m), a CMS structure. Encoders use definite or indefinite lengths, split the content into
 * pieces, and write binary or base64.
 */
type CmsContent = { kind: 'signed' | 'compressed'; content: Buffer } | { kind: 'encrypted' };

const signedDataOid = '1.2.840.113549.1.7.2';
const compressedDataOid = '1.2.840.113549.1.9.16.1.9';
const encryptedOids = new Set(['1.2.840.113549.1.7.3', '1.2.840.113549.1.9.16.1.23']);
const maxCmsDepth = 32;

interface CmsValue {
  tag: number;
  start: number;
  end: number;
  /** Offset of the next value, past the end marker of an indefinite length. */
  next: number;
}

export function openCms(bytes: Buffer, maxBytes: number): CmsContent {
  const data = toBinary(bytes);
  const root = readCmsValue(data, 0, data.length, 0);
  const [type, wrapped] = root.tag === 0x30 ? cmsChildren(data, root, 1) : [];
  if (type?.tag !== 0x06 || wrapped === undefined) throw damagedCms();
  const kind = objectIdentifier(data.subarray(type.start, type.end));
  if (encryptedOids.has(kind)) return { kind: 'encrypted' };
  if (kind !== signedDataOid && kind !== compressedDataOid) throw damagedCms();
  const [sequence] = cmsChildren(data, wrapped, 2);
  const inner = sequence === undefined ? undefined : cmsChildren(data, sequence, 3).findLast(isContentInfo);
  const [, wrapper] = inner === undefined ? [] : cmsChildren(data, inner, 4);
  const content = wrapper === undefined ? [] : cmsChildren(data, wrapper, 5).flatMap((part) => octetStrings(data, part, 6));
  const whole = Buffer.concat(content);
  return kind === signedDataOid ? { kind: 'signed', content: whole } : { kind: 'compressed', content: unpack(whole, maxBytes) };

  /** Of compressed data, the algorithm is a sequence, too; only the content has a second part. */
  function isContentInfo(part: CmsValue): boolean {
    return part.tag === 0x30 && cmsChildren(data, part, 4)[1]?.tag === 0xa0;
  }
}

function unpack(packed: Buffer, maxBytes: number): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: Math.min(maxBytes, 256 * 1024 * 1024) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ExtractError('guard', 'The compressed message unpacks to more bytes than the limit.');
    throw damagedCms();
  }
}

function toBinary(bytes: Buffer): Buffer {
  if (bytes[0] === 0x30) return bytes;
  const text = bytes.toString('latin1').replace(/-----[^-\n]*-----/g, '');
  // In a message file, headers precede the base64 body.
  const blank = /\r?\n\r?\n/.exec(text);
  const body = blank && /^[\w-]+:/.test(text) ? text.slice(blank.index) : text;
  const data = Buffer.from(body.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64');
  if (data[0] !== 0x30) throw new ExtractError('corrupt', 'The file is not a signed message.');
  return data;
}

/** The primitive octet strings in order. A constructed string contains further strings. */
function octetStrings(data: Buffer, part: CmsValue, depth: number): Buffer[] {
  if (part.tag === 0x04) return [data.subarray(part.start, part.end)];
  return part.tag === 0x24 ? cmsChildren(data, part, depth).flatMap((child) => octetStrings(data, child, depth + 1)) : [];
}

function cmsChildren(data: Buffer, outer: CmsValue, depth: number): CmsValue[] {
  const found: CmsValue[] = [];
  for (let at = outer.start; at < outer.end; ) {
    const part = readCmsValue(data, at, outer.end, depth);
    found.push(part);
    at = part.next;
  }
  return found;
}

function readCmsValue(data: Buffer, at: number, limit: number, depth: number): CmsValue {
  const tag = data[at];
  const first = data[at + 1];
  if (tag === undefined || first === undefined || depth > maxCmsDepth) throw damagedCms();
  if (first === 0x80) {
    let inner = at + 2;
    while (!(data[inner] === 0 && data[inner + 1] === 0)) {
      if (inner >= limit) throw damagedCms();
      inner = readCmsValue(data, inner, limit, depth + 1).next;
    }
    return { tag, start: at + 2, end: inner, next: inner + 2 };
  }
  const count = first & 0x80 ? first & 0x7f : 0;
  if (count > 4 || at + 2 + count > limit) throw damagedCms();
  const length = count === 0 ? first : data.readUIntBE(at + 2, count);
  const start = at + 2 + count;
  if (start + length > limit) throw damagedCms();
  return { tag, start, end: start + length, next: start + length };
}

function damagedCms(): ExtractError {
  return new ExtractError('corrupt', 'The signed message is damaged.');
}
