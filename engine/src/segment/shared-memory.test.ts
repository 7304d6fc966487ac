import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createMemory } from '../kernels/index.ts';
import { createOnce } from './shared-memory.ts';

test('an object is created once and found under its key only', () => {
  const memory = createMemory(64);
  expect(createOnce(memory, 0, 7, () => 4096)).toBe(4096);
  const again = () => {
    throw new Error('made twice');
  };
  expect(createOnce(memory, 0, 7, again)).toBe(4096);
  expect(createOnce(memory, 0, 8, again)).toBeNull();
});

test('addresses above two gigabytes are returned unchanged', () => {
  const memory = createMemory(64);
  createOnce(memory, 8, 1, () => 3_000_000_000);
  expect(createOnce(memory, 8, 1, () => 0)).toBe(3_000_000_000);
});

test('a thread waits for an object that another thread is creating', async () => {
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
  expect(createOnce(memory, 0, 7, () => 0)).toBe(8192);
  await maker.terminate();
});

test('a failed creation is reported to all threads', () => {
  const memory = createMemory(64);
  const failing = () => {
    throw new Error('no memory');
  };
  expect(() => createOnce(memory, 0, 7, failing)).toThrow('no memory');
  expect(() => createOnce(memory, 0, 7, () => 64)).toThrow('Another thread failed');
});

test('waiting for a thread that died ends with a timeout', () => {
  const memory = createMemory(64);
  new Int32Array(memory.buffer)[0] = 7;
  expect(() => createOnce(memory, 0, 7, () => 64, 5)).toThrow('Another thread failed');
});
