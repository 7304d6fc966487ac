import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openSync } from 'node:fs';

/** Seconds a command takes, its output thrown away; null when it is not installed or fails. */
export function timeCommand(command: string, args: readonly string[]): number | null {
  const nowhere = openSync('/dev/null', 'w');
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: ['ignore', nowhere, 'ignore'] });
  return status === 0 ? (performance.now() - started) / 1000 : null;
}

export const find = (root: string): number | null => timeCommand('find', [root, '-printf', '%p %s %T@ %n %i\\n']);
export const hashdeep = (root: string): number | null => timeCommand('hashdeep', ['-c', 'sha256', '-j2', '-r', root]);
export const rclone = (root: string): number | null => timeCommand('rclone', ['hashsum', 'sha256', root, '--config', '/dev/null']);

/** Bytes a second node:crypto reaches on a buffer that is already in memory. */
export function cryptoSpeed(bytes: number): number {
  const buffer = Buffer.alloc(1 << 20, 7);
  const hash = createHash('sha256');
  const started = performance.now();
  for (let done = 0; done < bytes; done += buffer.length) hash.update(buffer);
  hash.digest();
  return bytes / ((performance.now() - started) / 1000);
}
