import { problem } from '../../platform/problem.ts';
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';

import { diskPath, pathBytes } from '@catalog/scanner';

export interface OpenFile {
  size: number;
  /** Changes with every change of the bytes that the file system tells. */
  etag: string;
  modified: Date;
  /** Bytes from start to end, both included; closes the file behind it. Throws when the file has become shorter. */
  read(start: number, end: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

const chunkSize = 262_144;

/**
 * Opens the file of an item for reading. The path is opened without following a last link, and then the kernel is asked what was opened:
 * a folder on the way that became a link since the scan would lead elsewhere, past the grants. Never waits on a pipe or device.
 */
export async function openItemFile(rootPath: string, relPath: string): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(
      diskPath(`${rootPath.replace(/\/+$/, '')}/${relPath}`),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const facts = await handle.stat({ bigint: true });
    if (!facts.isFile()) throw problem('file_gone', 'What is at this place is no longer a regular file.');
    await refuseOutsideRoot(handle, rootPath, relPath);
    const opened = handle;
    return {
      size: Number(facts.size),
      etag: `"${facts.size.toString(36)}-${facts.mtimeNs.toString(36)}-${facts.ino.toString(36)}"`,
      modified: new Date(Number(facts.mtimeMs)),
      read: (start, end) => readBytes(opened, start, end),
      close: () => opened.close(),
    };
  } catch (error) {
    await handle?.close();
    throw fileProblem(error);
  }
}

async function refuseOutsideRoot(handle: FileHandle, rootPath: string, relPath: string): Promise<void> {
  const expected = Buffer.concat([await realpath(rootPath, { encoding: 'buffer' }), pathBytes(`/${relPath}`)]);
  if (process.platform === 'linux') {
    const opened = await readlink(`/proc/self/fd/${handle.fd}`, { encoding: 'buffer' });
    if (opened.equals(expected) || opened.equals(Buffer.concat([expected, Buffer.from(' (deleted)')]))) return;
  } else {
    // Other systems may spell a name in another case or normal form; the folder must be the library's.
    const opened = await realpath(expected, { encoding: 'buffer' });
    if (opened.subarray(0, opened.lastIndexOf(0x2f)).equals(expected.subarray(0, expected.lastIndexOf(0x2f)))) return;
  }
  throw problem('file_gone', 'A link has replaced a folder on the way to this file; links are not followed.');
}

async function* readBytes(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  try {
    for (let at = start; at <= end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkSize, end - at + 1));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function fileProblem(error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENXIO':
    case 'ESTALE':
      return problem('file_gone');
    case 'ELOOP':
      return problem('file_gone', 'The file is a link; links are not followed.');
    case 'EISDIR':
      return problem('file_gone', 'What is at this place is no longer a regular file.');
    case 'EACCES':
    case 'EPERM':
      return problem('path_unreadable', 'The service may not read this file.');
    case 'EIO':
      return problem('file_gone', 'The disk reports an error for this file.');
    default:
      return error;
  }
}
