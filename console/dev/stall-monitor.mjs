// Detects when the machine stalls: on each core a high-priority process sleeps 4 ms at a time and reports when it wakes up late.
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';

const LATE_MS = 8;

if (process.argv[2] === 'sleep') {
  const { setPriority } = await import('node:os');
  try {
    setPriority(-20);
  } catch {
    // Raising the priority needs privileges; without it, load from the measurement itself also counts as a stall.
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

/** Starts monitoring; `during` returns the longest stall on any core within a period, in milliseconds. */
export function monitorStalls() {
  const found = [];
  const sleepers = cpus().map((_, core) => {
    const child = spawn('taskset', ['-c', String(core), process.execPath, import.meta.filename, 'sleep'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (lines) => {
      for (const line of String(lines).trim().split('\n')) found.push(line.split(' ').map(Number));
    });
    return child;
  });
  return {
    during: (from, to) => Math.max(0, ...found.map(([start, end]) => Math.min(to, end) - Math.max(from, start))),
    stop() {
      for (const child of sleepers) child.kill();
    },
  };
}
