import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/contract.ts';
import { createSandboxPool, type SandboxPool } from '../../src/sandbox/pool.ts';
import { samples as everySample } from '../samples/index.ts';
import { openSampleFolder, type SampleFolder } from '../samples/source.ts';
import { makeMbox } from '../samples/texts.ts';
import { hostileCases, hostileTable, runHostile } from './run-hostile.ts';

// `npm run test:long` runs all of these files, and main.ts also damaged ones. Here a third is enough, another one each time.
const parts = process.env['CATALOG_LONG_TESTS'] ? 1 : 3;
const part = Math.floor(Math.random() * parts);
const cases = hostileCases().filter((_, index) => index % parts === part);

it(`every hostile file ends with an allowed outcome within its limits and 500 MB, and the pool keeps working (part ${part + 1} of ${parts})`, {
  timeout: 3_600_000,
}, async () => {
  const { results, alive, largestReaderBytes } = await runHostile(cases);
  console.log(`\n${hostileTable(results)}\nThe largest reader had ${Math.round(largestReaderBytes / 1048576)} MB.\n`);
  expect(results.filter((one) => one.wrong)).toEqual([]);
  expect(results).toHaveLength(cases.length);
  expect(cases.length).toBeGreaterThan(100);
  expect(alive).toBe(true);
  expect(largestReaderBytes).toBeLessThanOrEqual(500 * 1048576);
});

describe('paths that are not regular files, and files that change', () => {
  let samples: SampleFolder;
  let pool: SandboxPool;
  beforeAll(() => {
    samples = openSampleFolder();
    pool = createSandboxPool({ size: 1, background: false, memoryMb: 512 });
  });
  afterAll(() => {
    pool.close();
    samples.remove();
  });
  const read = (path: string, extension: string) =>
    pool.extract({ path, filename: `x.${extension}`, extension, size: 1, limits: { ...defaultLimits, timeoutSeconds: 20 } });

  const extensions = ['txt', 'jpg', 'png', 'mp3', 'mp4', 'pdf', 'docx', 'mbox', 'doc', 'zip', 'stl'];
  it.each(extensions)('a named pipe, a folder and a circular link named .%s are rejected at once', async (extension) => {
    const pipe = join(samples.folder, `pipe.${extension}`);
    execFileSync('mkfifo', [pipe]);
    const folder = join(samples.folder, `folder.${extension}`);
    mkdirSync(folder);
    const circle = join(samples.folder, `circle.${extension}`);
    symlinkSync(circle, circle);
    for (const path of [pipe, folder, circle]) expect(await read(path, extension), path).toMatchObject({ ok: false, kind: 'corrupt' });
  });

  // Together, because a reader process is restarted whenever the folder changes.
  it.each(extensions)('a device that is read as .%s is rejected at once', async (extension) => {
    expect(await read('/dev/zero', extension)).toMatchObject({ ok: false, kind: 'corrupt' });
  });

  it('a file that shrinks or grows while it is read ends with a result or as corrupt', async () => {
    const path = join(samples.folder, 'moving.mbox');
    const bytes = makeMbox(30_000);
    for (const change of ['shrink', 'grow'] as const) {
      writeFileSync(path, bytes);
      const reading = read(path, 'mbox');
      for (let i = 0; i < 20; i++) {
        if (change === 'shrink') truncateSync(path, Math.floor(bytes.length / (i + 2)));
        else {
          const fd = openSync(path, 'a');
          writeSync(fd, bytes.subarray(0, 10_000));
          closeSync(fd);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
      const outcome = await reading;
      expect(outcome.ok || outcome.kind === 'corrupt', change).toBe(true);
    }
  });

  it.each(['zip', 'pdf', 'docx', 'stl', 'mp3', 'sqlite', 'jpg', 'vmdk'])(
    'a .%s that is truncated and rewritten while it is read yields a result or an error, and the process survives',
    async (extension) => {
      const sample = everySample.find(({ filename }) => filename.endsWith(`.${extension}`))!;
      const bytes = await sample.build();
      const path = join(samples.folder, `moving.${extension}`);
      writeFileSync(path, bytes);
      const reading = Array.from({ length: 12 }, () => read(path, extension));
      for (let i = 0; i < 60; i++) {
        truncateSync(path, Math.floor((bytes.length * (i % 7)) / 7));
        await new Promise((resolve) => setImmediate(resolve));
        writeFileSync(path, bytes);
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const outcome of await Promise.all(reading)) expect(outcome.ok || ['corrupt', 'guard'].includes(outcome.kind)).toBe(true);
      writeFileSync(path, bytes);
      expect(await read(path, extension)).toMatchObject({ ok: true });
    },
  );
});
