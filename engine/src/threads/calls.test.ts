import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createCaller } from './calls.ts';

test('calls of a thread that crashed fail with `closed`, so that their callers open the index again', async () => {
  const program = `require('node:worker_threads').parentPort.on('message', () => { throw new Error('no memory left'); });`;
  const caller = createCaller(new Worker(program, { eval: true }));
  for (let call = 0; call < 2; call++)
    await expect(caller.call('search')).rejects.toMatchObject({ code: 'closed', message: expect.stringContaining('no memory left') });
  await caller.close();
});
