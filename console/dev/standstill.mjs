// Tells when the machine itself stood still: on each core somebody of the highest priority sleeps for 4 ms at a time and notes when they woke too late.
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';

const LATE_MS = 8;

if (process.argv[2] === 'sleep') {
  const { setPriority } = await import('node:os');
  try {
    setPriority(-20);
  } catch {
    // Not everybody may: then our own work counts as standstill too, and the figure says less.
  }
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const now = () => performance.timeOrigin + performance.now();
  for (let before = now(); ; ) {
    Atomics.wait(cell, 0, 0, 4);
    const after = now();
    if (after - before > 4 + LATE_MS) process.stdout.write(`${before} ${after}\n`);
    before = after;
  }
}

/** From now on; `during` gives the milliseconds of a stretch of time in which some core stood still. */
export function watchStandstill() {
  const seen = [];
  const sleepers = cpus().map((_, core) => {
    const child = spawn('taskset', ['-c', String(core), process.execPath, import.meta.filename, 'sleep'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (lines) => {
      for (const line of String(lines).trim().split('\n')) seen.push(line.split(' ').map(Number));
    });
    return child;
  });
  return {
    during: (from, to) => Math.max(0, ...seen.map(([start, end]) => Math.min(to, end) - Math.max(from, start))),
    stop() {
      for (const child of sleepers) child.kill();
    },
  };
}
