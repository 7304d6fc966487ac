import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createIndex, openReader, openWriter } from '../src/index.ts';
import { inDirectory, smallSchema } from './temporary-index.ts';

const names = ['catalog kernels: questions', 'catalog kernels: words'];
const compiled = () => names.map((name) => getEnvironmentData(name) instanceof WebAssembly.Module);

/** V8 may end the process when threads make and give back code of their own: every start of a thread hands over what is compiled already. */
test('whoever starts a thread of the engine has compiled its kernels before', async () => {
  await inDirectory(async (directory) => {
    const starts: (() => Promise<{ close(): Promise<unknown> } | undefined>)[] = [
      () => createIndex(directory, smallSchema).then(() => undefined),
      () => openWriter(directory, smallSchema),
      () => openReader(directory),
    ];
    for (const start of starts) {
      for (const name of names) setEnvironmentData(name, undefined);
      const started = await start();
      expect(compiled(), String(start)).toEqual([true, true]);
      await started?.close();
    }
  });
});
