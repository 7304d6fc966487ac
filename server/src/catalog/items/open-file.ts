import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { diskPath, limitNs, pathBytes } from '@catalog/scanner';
import { problem } from '../../platform/problem.ts';

export interface OpenFile {
  size: number;
  /** Changes whenever the file system reports a change. */
  etag: string;
  modified: Date;
  /** Bytes from start to end, both inclusive. Closes the file at the end. Throws when the file has become shorter. */
  read(start: number, end: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

interface OpenLocalFile extends OpenFile {
  /** As a scan stores it. */
  mtimeNs: string;
}

const chunkSize = 262_144;

/**
 * Opens the file of an item for reading. Symlinks are not followed: the last path segment by O_NOFOLLOW, and the others by comparing the
 * opened path, because a folder replaced by a symlink after the scan would bypass the grants. Never blocks on a pipe or device.
 */
export async function openItemFile(rootPath: string, relPath: string): Promise<OpenLocalFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(
      diskPath(`${rootPath.replace(/\/+$/, '')}/${relPath}`),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const facts = await handle.stat({ bigint: true });
    if (!facts.isFile()) throw problem('file_gone', 'There is no longer a regular file at this path. Scan the library again.');
    await refuseOutsideRoot(handle, rootPath, relPath);
    const opened = handle;
    return {
      size: Number(facts.size),
      mtimeNs: String(limitNs(facts.mtimeNs)),
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
    // Other systems may return another case or normal form of the name, so only the folder is compared.
    const opened = await realpath(expected, { encoding: 'buffer' });
    if (opened.subarray(0, opened.lastIndexOf(0x2f)).equals(expected.subarray(0, expected.lastIndexOf(0x2f)))) return;
  }
  throw problem('file_gone', 'A folder above this file was replaced by a symlink, and symlinks are not followed. Scan the library again.');
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
      return problem('file_gone', 'The file is a symlink, and symlinks are not followed.');
    case 'EISDIR':
      return problem('file_gone', 'There is no longer a regular file at this path. Scan the library again.');
    case 'EACCES':
    case 'EPERM':
      return problem('path_unreadable', 'The service has no permission to read this file. Allow its user account to read it.');
    case 'EIO':
      return problem('file_gone', 'The disk reports an error for this file. Check the disk.');
    case 'ENODEV':
    case 'ENOTCONN':
    case 'EHOSTDOWN':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return problem('disk_unavailable');
    default:
      return error;
  }
}
