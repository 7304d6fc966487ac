/** Prints how large the data segment of an empty Node process is, in kilobytes; nothing where /proc cannot be read. */
import { readFileSync } from 'node:fs';

try {
  process.stdout.write(/VmData:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
} catch {
  // Other systems, and views without /proc.
}
