import { constants } from 'node:fs';
import type { SevenZipModuleFactory } from '7z-wasm';
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

/**
 * Runs 7-Zip (as WebAssembly) on an open file. The program sees one read-only file named /in, backed by positioned reads of the file
 * itself, and nothing else of the host: no folder is mounted. What it prints is taken as bytes from its standard output. Each call uses
 * a fresh instance, because the program is not made to run twice and because a throw from the output callback is how we stop it.
 */
interface SevenZipRun {
  status: number;
  errors: string;
}

/** Thrown by `output` to stop the program; it is not an error. */
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
  // The package is CommonJS with types for a default export; Node hands over the factory itself.
  const factory = (await import('7z-wasm')).default as unknown as SevenZipModuleFactory;
  const program = await withPublicConstants(() =>
    factory({ print: () => {}, printErr: (line: string) => errors.push(line), stdin: () => -1 }),
  );
  const fs = program.FS as unknown as SevenZipFs;
  fs.close(fs.open('/in', 'w+'));
  backNodeWithFile(fs.lookupPath('/in').node, file);
  fs.streams[1]!.stream_ops = {
    ...fs.streams[1]!.stream_ops,
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
 * While it starts, the program asks Node's internals for the numbers of the file flags. A child without privileges may not open those
 * internals; the same numbers are public, so they are handed over instead.
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

/** Makes the node look like the file: its size and its bytes. */
function backNodeWithFile(node: SevenZipNode, file: FileBytes): void {
  const { getattr } = node.node_ops;
  node.node_ops = { ...node.node_ops, getattr: (asked: unknown) => ({ ...getattr(asked), size: file.size }) };
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

/** Calls `line` for each line of the technical listing; `line` may throw `stopReading`. */
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

/** Hands every unpacked byte of a single-stream file (xz, bz2, lzma, Z), of one named member, or of all members of a pattern, to `output`. */
export async function unpackMembers(
  file: FileBytes,
  member: string | { pattern: string } | undefined,
  output: (chunk: Buffer) => void,
): Promise<void> {
  const names = member === undefined ? [] : typeof member === 'string' ? ['-spd', `-i!${member}`] : [`-ir!${member.pattern}`];
  const result = await runSevenZip(file, ['x', '-so', '-bd', '-p-', ...names, '/in'], output);
  if (result.status !== 0) throw sevenZipError(result);
}

/** What 7-Zip's complaint means for people. */
export function sevenZipError(result: SevenZipRun): ExtractError {
  if (/password|encrypted/i.test(result.errors)) return new ExtractError('guard', 'The archive is protected by a password.');
  if (/memory/i.test(result.errors)) return new ExtractError('guard', 'The archive needs more memory than is allowed.');
  if (/unsupported method/i.test(result.errors))
    return new ExtractError('dependency', 'The archive is packed with a method that is not read here.');
  return new ExtractError('corrupt', 'The archive cannot be read.');
}
