import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createMemory } from '../kernels/index.ts';
import { madeOnce } from './shared-memory.ts';

test('what one has made another finds, under its key only', () => {
  const memory = createMemory(64);
  expect(madeOnce(memory, 0, 7, () => 4096)).toBe(4096);
  const again = () => {
    throw new Error('made twice');
  };
  expect(madeOnce(memory, 0, 7, again)).toBe(4096);
  expect(madeOnce(memory, 0, 8, again)).toBeNull();
});

test('addresses above two gigabytes come back as they were given', () => {
  const memory = createMemory(64);
  madeOnce(memory, 8, 1, () => 3_000_000_000);
  expect(madeOnce(memory, 8, 1, () => 0)).toBe(3_000_000_000);
});

test('whoever wants what another thread is making waits for it', async () => {
  const memory = createMemory(64);
  const pair = new Int32Array(memory.buffer, 0, 2);
  pair[0] = 7;
  const maker = new Worker(
    `const { workerData } = require('node:worker_threads');
    const pair = new Int32Array(workerData, 0, 2);
    Atomics.store(pair, 1, 8192);
    Atomics.notify(pair, 1);`,
    { eval: true, workerData: memory.buffer },
  );
  expect(madeOnce(memory, 0, 7, () => 0)).toBe(8192);
  await maker.terminate();
});

test('a making that fails is told to everybody', () => {
  const memory = createMemory(64);
  const making = () => {
    throw new Error('no memory');
  };
  expect(() => madeOnce(memory, 0, 7, making)).toThrow('no memory');
  expect(() => madeOnce(memory, 0, 7, () => 64)).toThrow('Another thread failed');
});

test('what a thread that died was making is not waited for without end', () => {
  const memory = createMemory(64);
  new Int32Array(memory.buffer)[0] = 7;
  expect(() => madeOnce(memory, 0, 7, () => 64, 5)).toThrow('Another thread failed');
});
