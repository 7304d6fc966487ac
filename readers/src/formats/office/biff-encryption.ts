/**
 * Excel encrypts workbooks that are only protected against changes with a password that everybody knows, and opens them without asking.
 * Such a workbook is readable, so it counts as encrypted only if this password does not fit.
 */
import { createHash } from 'node:crypto';

const knownPassword = 'VelvetSweatshop';
const blockBytes = 1024;
const filePass = 0x2f;
const boundSheet = 0x85;
/** Records whose content is never encrypted: beginnings of streams, the password, and what programs read before they know it. */
const plainRecords = new Set([0x809, filePass, 0xe1, 0x194, 0x195, 0x196, 0x138]);

/** The workbook with its records in plain text, or null if it has a password of its own or another kind of encryption. */
export function openProtectedWorkbook(book: Buffer, header: Buffer): Buffer | null {
  // The key and the check value, in Excel 97 and later after the type 0.
  const obfuscated = header.length === 4 ? header : header.length === 6 && header.readUInt16LE(0) === 0 ? header.subarray(2) : null;
  if (obfuscated !== null) return obfuscated.readUInt32LE(0) === knownKeyAndCheck ? decryptObfuscated(book) : null;
  // Type 1 and version 1.1: RC4 with a salt.
  if (header.length < 54 || header.readUInt16LE(0) !== 1 || header.readUInt16LE(2) !== 1) return null;
  const [salt, verifier, verifierHash] = [header.subarray(6, 22), header.subarray(22, 38), header.subarray(38, 54)];
  const key = passwordKey(knownPassword, salt);
  const check = keyStream(key, 0, 32);
  const plain = xor(verifier, check.subarray(0, 16));
  if (!md5(plain).equals(xor(verifierHash, check.subarray(16, 32)))) return null;
  return decryptRecords(book, key);
}

/** What the password gives in the older method: the key 0xB359 and the check value 0x9A0A. */
const knownKeyAndCheck = 0x9a0ab359;

/** The older method turns every byte and combines it with one of 16, by its position and the length of its record. */
function decryptObfuscated(book: Buffer): Buffer {
  const turned = (byte: number) => ((byte >> 1) | (byte << 7)) & 255;
  // The password has 15 characters; one byte of padding follows.
  const mask = [...Buffer.from(knownPassword, 'latin1'), 0xbb].map((byte, at) => turned(byte ^ (at % 2 === 0 ? 0x59 : 0xb3)));
  return mapEncrypted(book, (byte, at, length) => {
    const mixed = byte ^ (mask[(at + length) % 16] as number);
    return ((mixed >> 5) | (mixed << 3)) & 255;
  });
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

function xor(bytes: Buffer, stream: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ (stream[at] as number)));
}

/** 40 bits, as the law demanded at the time. */
function passwordKey(password: string, salt: Buffer): Buffer {
  const first = md5(Buffer.from(password, 'utf16le')).subarray(0, 5);
  return md5(Buffer.concat(Array.from({ length: 16 }, () => Buffer.concat([first, salt])))).subarray(0, 5);
}

function keyStream(key: Buffer, block: number, length: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32LE(block);
  const secret = md5(Buffer.concat([key, number]));
  const state = Uint8Array.from({ length: 256 }, (_, n) => n);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] as number) + (secret[i % 16] as number)) & 255;
    [state[i], state[j]] = [state[j] as number, state[i] as number];
  }
  const out = Buffer.alloc(length);
  for (let n = 0, i = 0, j = 0; n < length; n++) {
    i = (i + 1) & 255;
    j = (j + (state[i] as number)) & 255;
    [state[i], state[j]] = [state[j] as number, state[i] as number];
    out[n] = state[((state[i] as number) + (state[j] as number)) & 255] as number;
  }
  return out;
}

/** Every block of 1024 bytes has its own key stream. Headers of records are plain, but count. */
function decryptRecords(book: Buffer, key: Buffer): Buffer {
  let block = -1;
  let stream: Buffer = Buffer.alloc(0);
  return mapEncrypted(book, (byte, at) => {
    if (Math.floor(at / blockBytes) !== block) {
      block = Math.floor(at / blockBytes);
      stream = keyStream(key, block, blockBytes);
    }
    return byte ^ (stream[at % blockBytes] as number);
  });
}

/** Replaces every encrypted byte, given its position and the length of its record. */
function mapEncrypted(book: Buffer, decrypt: (byte: number, at: number, length: number) => number): Buffer {
  const out = Buffer.from(book);
  for (let at = 0; at + 4 <= out.length; ) {
    const [type, length] = [out.readUInt16LE(at), out.readUInt16LE(at + 2)];
    const end = Math.min(out.length, at + 4 + length);
    // The position of a sheet is plain as well.
    const from = plainRecords.has(type) ? end : at + 4 + (type === boundSheet ? 4 : 0);
    for (let n = from; n < end; n++) out[n] = decrypt(out[n] as number, n, length);
    at += 4 + length;
  }
  return out;
}
