import { constants } from 'node:fs';
import type { SevenZipModuleFactory } from '7z-wasm';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys, createMemberList, guardRatio, type MemberList } from './member-list.ts';

/**
 * Result of one run of 7-Zip. It runs as WebAssembly with access to a single read-only file, /in, which is backed by positioned reads of
 * the open file. No host folder is mounted. Each run uses a new instance, because an instance cannot run twice and is stopped by throwing
 * from its output callback.
 */
interface SevenZipRun {
  status: number;
  errors: string;
}

/** Thrown from an output callback to stop 7-Zip early. It does not signal a failure. */
export const stopReading = Symbol('stop');

interface SevenZipNode {
  node_ops: { getattr(node: unknown): object } & object;
  stream_ops: object;
}
interface SevenZipFs {
  open(path: string, flags: string): unknown;
  close(stream: unknown): void;
  lookupPath(path: string): { node: SevenZipNode };
  streams: { stream_ops: object }[];
}

async function runSevenZip(file: FileBytes, args: string[], output: (chunk: Buffer) => void): Promise<SevenZipRun> {
  const errors: string[] = [];
  // The package is CommonJS but its types declare a default export. Node returns the factory itself.
  const factory = (await import('7z-wasm')).default as unknown as SevenZipModuleFactory;
  const program = await withPublicConstants(() =>
    factory({ print: () => {}, printErr: (line: string) => errors.push(line), stdin: () => -1 }),
  );
  const fs = program.FS as unknown as SevenZipFs;
  fs.close(fs.open('/in', 'w+'));
  backNodeWithFile(fs.lookupPath('/in').node, file);
  const standardOutput = fs.streams[1];
  if (standardOutput === undefined) throw new Error('7-Zip has no standard output.');
  standardOutput.stream_ops = {
    ...standardOutput.stream_ops,
    write(_stream: unknown, bytes: Uint8Array, offset: number, length: number) {
      output(Buffer.from(bytes.subarray(offset, offset + length)));
      return length;
    },
  };
  try {
    const status = program.callMain(args) as unknown as number;
    return { status, errors: errors.join('\n') };
  } catch (error) {
    if (error === stopReading) return { status: 0, errors: '' };
    if (error instanceof ExtractError) throw error;
    throw new ExtractError('corrupt', 'The archive cannot be read.');
  }
}

/**
 * 7-Zip reads file flag constants from Node's internals at startup. The sandbox denies access to them, so the same values are supplied from
 * the public `fs.constants`.
 */
async function withPublicConstants<T>(start: () => Promise<T>): Promise<T> {
  const internals = process as unknown as { binding: unknown };
  const original = internals.binding;
  internals.binding = () => ({ fs: constants });
  try {
    return await start();
  } finally {
    internals.binding = original;
  }
}

/** Makes the virtual file return the size and bytes of the real file. */
function backNodeWithFile(node: SevenZipNode, file: FileBytes): void {
  const { getattr } = node.node_ops;
  node.node_ops = { ...node.node_ops, getattr: (target: unknown) => ({ ...getattr(target), size: file.size }) };
  node.stream_ops = {
    ...node.stream_ops,
    read(_stream: unknown, target: Uint8Array, offset: number, length: number, position: number) {
      const bytes = file.read(position, length);
      target.set(bytes, offset);
      return bytes.length;
    },
    llseek: (stream: { position: number }, offset: number, whence: number) =>
      offset + (whence === 1 ? stream.position : whence === 2 ? file.size : 0),
  };
}

/** Calls `line` for each line of `7z l -slt`. `line` may throw `stopReading`. */
export async function listLines(file: FileBytes, type: string | undefined, line: (text: string) => void): Promise<SevenZipRun> {
  const decoder = new TextDecoder();
  let rest = '';
  const result = await runSevenZip(file, ['l', '-slt', '-bd', '-p-', ...(type ? [`-t${type}`] : []), '/in'], (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) line(text);
  });
  if (rest !== '') {
    try {
      line(rest);
    } catch (error) {
      if (error !== stopReading) throw error;
    }
  }
  return result;
}

/**
 * Streams decompressed bytes to `output`: of a single-stream file (xz, bz2, lzma, Z), of one member, or of all members that match a
 * pattern.
 */
export async function unpackMembers(
  file: FileBytes,
  member: string | { pattern: string } | undefined,
  output: (chunk: Buffer) => void,
): Promise<void> {
  const names = member === undefined ? [] : typeof member === 'string' ? ['-spd', `-i!${member}`] : [`-ir!${member.pattern}`];
  const result = await runSevenZip(file, ['x', '-so', '-bd', '-p-', ...names, '/in'], output);
  if (result.status !== 0) throw sevenZipError(result);
}

/** Translates 7-Zip's error output into an error for users. */
export function sevenZipError(result: SevenZipRun): ExtractError {
  if (/password|encrypted/i.test(result.errors)) return new ExtractError('guard', 'The archive is protected by a password.');
  if (/memory/i.test(result.errors)) return new ExtractError('guard', 'The archive needs more memory than allowed.');
  if (/unsupported method/i.test(result.errors))
    return new ExtractError('dependency', 'The archive uses an unsupported compression method.');
  return new ExtractError('corrupt', 'The archive cannot be read.');
}

/** Archive formats that only 7-Zip can list. */
export const sevenZipArchive: Extractor = {
  name: 'sevenzip',
  version: 2,
  text: false,
  extensions: [
    ...['7z', 's7z', 'rar', 'r00', 'cab', 'arj', 'lzh', 'lha', 'cpio', 'ar', 'xar', 'deb', 'udeb', 'rpm', 'srpm', 'drpm', 'msp'],
    ...['pkg', 'mpkg', 'snap', 'wim', 'swm', 'esd', 'udf'],
  ],
  tools: [],
  keys: [...archiveKeys, 'archive.solid', 'archive.comment'],
  read: (source) => withFileBytes(source, (file) => listWithSevenZip(file, source)),
};

/** Lists an archive with 7-Zip. `extra` is added to the archive metadata. */
export async function listWithSevenZip(file: FileBytes, source: Source, extra: Record<string, unknown> = {}): Promise<Extracted> {
  const members = createMemberList(source.limits);
  // 7-Zip as WebAssembly crashes on some encrypted lists instead of reporting them.
  if (hasEncryptedList(file)) return members.finish('7z', { encrypted: true, ...extra });
  const parser = createSltParser(members);
  const result = await listLines(file, undefined, (line) => {
    if (!parser.line(line)) throw stopReading;
  });
  parser.finish();
  const format = (parser.archive.get('Type') ?? source.extension).toLowerCase();
  if (result.status !== 0 && !parser.sawMembers) {
    const error = sevenZipError(result);
    // An encrypted member list is reported as metadata, not as a failure.
    if (error.kind === 'guard' && /password/.test(error.message)) return members.finish(source.extension, { encrypted: true, ...extra });
    throw error;
  }
  if (result.status !== 0 || parser.archive.has('ERRORS')) throw new ExtractError('corrupt', 'The archive is damaged.');
  guardRatio(parser.unpacked, file.size, source.limits);
  const solid = parser.archive.get('Solid') === '+' ? { solid: true } : {};
  const comment = parser.archive.get('Comment');
  return members.finish(format, { ...solid, ...(comment ? { comment: comment.slice(0, 1000) } : {}), ...extra });
}

const aesMethod = Buffer.from('06f10701', 'hex');
const packedHeader = 0x17;

/** True for a 7z archive whose list of members is packed with AES. The first bytes state where the header is. */
function hasEncryptedList(file: FileBytes): boolean {
  const start = file.read(0, 32);
  if (start.length < 32 || start.toString('latin1', 0, 6) !== "7z\xbc\xaf'\x1c") return false;
  const [offset, length] = [Number(start.readBigUInt64LE(12)), Number(start.readBigUInt64LE(20))];
  const header = file.read(32 + offset, Math.min(length, 4096));
  return header[0] === packedHeader && header.includes(aesMethod);
}

/**
 * Parses the output of `7z l -slt`. States: banner until `--`, archive properties until `----------`, then one block of `Key = value` lines
 * per member. Blocks are separated by empty lines.
 */
export function createSltParser(members: MemberList) {
  const archive = new Map<string, string>();
  let state: 'banner' | 'archive' | 'members' = 'banner';
  let block = new Map<string, string>();
  let unpacked = 0;
  let sawMembers = false;

  const closeBlock = (): boolean => {
    const name = block.get('Path');
    const current = block;
    block = new Map();
    if (name === undefined) return true;
    sawMembers = true;
    const size = Number(current.get('Size') ?? 0);
    unpacked += size;
    const directory = current.get('Folder') === '+' || (current.get('Attributes') ?? '').startsWith('D');
    return members.add({ name, size, directory, encrypted: current.get('Encrypted') === '+' });
  };
  return {
    archive,
    get unpacked() {
      return unpacked;
    },
    get sawMembers() {
      return sawMembers;
    },
    /** Returns false once the member limit is reached. */
    line(text: string): boolean {
      if (text === '--' && state === 'banner') state = 'archive';
      else if (text === '----------') state = 'members';
      else if (state === 'archive') readPair(text, archive);
      else if (state === 'members' && text === '') return closeBlock();
      else if (state === 'members') readPair(text, block);
      return true;
    },
    finish(): void {
      if (state === 'members') closeBlock();
    },
  };
}

function readPair(line: string, into: Map<string, string>): void {
  const at = line.indexOf(' = ');
  if (at > 0) into.set(line.slice(0, at), line.slice(at + 3));
  else if (line.endsWith(' =')) into.set(line.slice(0, -2), '');
  else if (line === 'ERRORS:') into.set('ERRORS', '');
}
