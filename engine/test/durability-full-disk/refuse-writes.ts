/** Preloaded in every thread. While the file named by FULL_DISK exists, writes fail as on a full disk. */
import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const mark = process.env['FULL_DISK']!;
const write = fs.writeSync as (fd: number, bytes: Uint8Array, offset?: number, length?: number, position?: number) => number;
const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
let halves = 0;

function writeUntilFull(fd: number, bytes: Uint8Array, offset = 0, length = bytes.length - offset, position?: number): number {
  if (fd <= 2 || !existsSync(mark)) return write(fd, bytes, offset, length, position);
  // A disk can become full within a write: every other write stores half of its bytes before the next is refused.
  if (halves++ % 2 === 1 || length < 2) throw full();
  return write(fd, bytes, offset, length >> 1, position);
}

fs.writeSync = writeUntilFull as typeof fs.writeSync;
syncBuiltinESMExports();
