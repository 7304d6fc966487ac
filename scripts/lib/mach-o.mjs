// Programs of macOS (Mach-O, 64 bits): a signature without an identity, which Apple's processors need to run a program at all.
import { createHash } from 'node:crypto';

const commands = { segment: 0x19, signature: 0x1d };
const pageBytes = 4096;
const hashBytes = 32;
const machines = { 16777223: 'x64', 16777228: 'arm64' };

function parse(file) {
  if (file.readUInt32LE(0) !== 0xfeedfacf) throw new Error('This is no program of macOS.');
  const found = {
    count: file.readUInt32LE(16),
    size: file.readUInt32LE(20),
    machine: file.readUInt32LE(4),
    firstSection: Number.POSITIVE_INFINITY,
  };
  for (let n = 0, at = 32; n < found.count; n += 1, at += file.readUInt32LE(at + 4)) {
    const command = file.readUInt32LE(at);
    if (command === commands.signature) found.signature = at;
    if (command !== commands.segment) continue;
    const name = file.toString('latin1', at + 8, at + 24).replace(/\0.*/s, '');
    if (name === '__LINKEDIT') found.linkEdit = at;
    if (name === '__TEXT') found.text = at;
    for (let section = 0; section < file.readUInt32LE(at + 64); section += 1) {
      const offset = file.readUInt32LE(at + 72 + section * 80 + 48);
      if (offset > 0) found.firstSection = Math.min(found.firstSection, offset);
    }
  }
  return found;
}

const align = (value, to) => Math.ceil(value / to) * to;

/** The file with a new signature at its end. */
export function signAdHoc(given, identifier) {
  let { count, size, signature, linkEdit, text, firstSection } = parse(given);
  const limit = signature === undefined ? align(given.length, 16) : given.readUInt32LE(signature + 8);
  const code = Buffer.concat([given.subarray(0, limit), Buffer.alloc(Math.max(0, limit - given.length))]);
  if (signature === undefined) {
    signature = 32 + size;
    if (signature + 16 > firstSection) throw new Error('The program has no room for a signature.');
    code.writeUInt32LE(count + 1, 16);
    code.writeUInt32LE(size + 16, 20);
    code.writeUInt32LE(commands.signature, signature);
    code.writeUInt32LE(16, signature + 4);
  }
  const pages = Math.ceil(limit / pageBytes);
  const name = Buffer.from(`${identifier}\0`);
  const directoryBytes = 88 + name.length + pages * hashBytes;
  const signatureBytes = 20 + directoryBytes;
  code.writeUInt32LE(limit, signature + 8);
  code.writeUInt32LE(signatureBytes, signature + 12);
  // The last segment reaches to the end of the file.
  const start = Number(code.readBigUInt64LE(linkEdit + 40));
  code.writeBigUInt64LE(BigInt(limit + signatureBytes - start), linkEdit + 48);
  code.writeBigUInt64LE(BigInt(align(limit + signatureBytes - start, 16_384)), linkEdit + 32);
  const directory = Buffer.alloc(directoryBytes);
  const textOffset = code.readBigUInt64LE(text + 40);
  const textBytes = code.readBigUInt64LE(text + 48);
  // Version 0x20400; flags: without an identity, signed by the linker.
  const fields = [0xfade0c02, directoryBytes, 0x20400, 0x20002, 88 + name.length, 88, 0, pages, limit];
  for (const [at, value] of fields.entries()) directory.writeUInt32BE(value, at * 4);
  directory.set([hashBytes, 2, 0, Math.log2(pageBytes)], 36);
  directory.writeBigUInt64BE(textOffset, 64);
  directory.writeBigUInt64BE(textBytes, 72);
  directory.writeBigUInt64BE(1n, 80);
  directory.set(name, 88);
  for (let page = 0; page < pages; page += 1) directory.set(hashPage(code, page, limit), 88 + name.length + page * hashBytes);
  const head = Buffer.alloc(20);
  for (const [at, value] of [0xfade0cc0, signatureBytes, 1, 0, 20].entries()) head.writeUInt32BE(value, at * 4);
  return Buffer.concat([code, head, directory]);
}

function hashPage(file, page, limit) {
  return createHash('sha256')
    .update(file.subarray(page * pageBytes, Math.min(limit, (page + 1) * pageBytes)))
    .digest();
}

/** What the file says about itself; `sound` when every page has the hash of its signature. */
export function describeMachO(file) {
  const { machine, signature } = parse(file);
  const described = { arch: machines[machine], signed: signature !== undefined, sound: false };
  if (signature === undefined) return described;
  const [at, size] = [file.readUInt32LE(signature + 8), file.readUInt32LE(signature + 12)];
  const directory = file.subarray(at + file.readUInt32BE(at + 16));
  const [hashes, pages, limit] = [directory.readUInt32BE(16), directory.readUInt32BE(28), directory.readUInt32BE(32)];
  described.sound = at + size === file.length && limit === at;
  for (let page = 0; page < pages && described.sound; page += 1)
    described.sound = hashPage(file, page, limit).equals(directory.subarray(hashes + page * hashBytes, hashes + (page + 1) * hashBytes));
  return described;
}
