/** Runs extractors in a real sandbox process: WebAssembly, SQLite and decompression must work under its restrictions. */
import { afterAll, expect, it } from 'vitest';
import { makeRar, makeTar } from '../../test/samples/archives.ts';
import { dataHeaderSamples } from '../../test/samples/data-headers.ts';
import { machineSamples } from '../../test/samples/machine-samples.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { findExtractor } from '../registry.ts';
import { createSandboxPool } from '../sandbox/pool.ts';

const folder = openSampleFolder();
const pool = createSandboxPool({ size: 1, background: false });
afterAll(() => {
  pool.close();
  folder.remove();
});

const members = [{ name: 'a.txt', data: 'alpha' }];

it.each([
  ...[...machineSamples, ...dataHeaderSamples].map((sample) => [sample.filename, sample.build] as const),
  ['pack.rar', () => makeRar(members)] as const,
  ['comic.cbr', () => makeRar([{ name: '1.jpg', data: 'x' }])] as const,
  ['comic.cbt', () => makeTar(members)] as const,
])('reads %s in the sandbox as outside it', async (filename, build) => {
  const source = folder.source(filename, await build());
  const outcome = await pool.extract(source);
  expect(outcome).toMatchObject({ ok: true, extractor: findExtractor(source.extension)!.name });
  const { metadata } = await findExtractor(source.extension)!.read(source);
  expect((outcome as { extracted: { metadata: unknown } }).extracted.metadata).toEqual(JSON.parse(JSON.stringify(metadata)));
});
