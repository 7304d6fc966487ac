/** The conformance suite of all extractors: their declarations, their results for valid files and their errors for damaged ones. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples } from '../test/samples/index.ts';
import { openSampleFolder, type SampleFolder } from '../test/samples/source.ts';
import { ExtractError, type Extracted, type Source } from './contract.ts';
import { extractors, findExtractor } from './registry.ts';
import { describeFailure } from './sandbox/failure.ts';
import { toPlainExtracted } from './tasks/extract-task.ts';

const errorKinds = ['guard', 'corrupt', 'dependency', 'timeout'];
let folder: SampleFolder;
beforeAll(() => {
  folder = openSampleFolder();
});
afterAll(() => folder.remove());

describe('declarations', () => {
  it('each has a unique name, a version and at least one extension', () => {
    expect(new Set(extractors.map((extractor) => extractor.name)).size).toBe(extractors.length);
    for (const extractor of extractors) {
      expect(extractor.version, extractor.name).toBeGreaterThanOrEqual(1);
      expect(extractor.extensions.length, extractor.name).toBeGreaterThan(0);
      for (const tool of extractor.tools) expect(tool.lost, tool.name).not.toBe('');
    }
  });

  it('no extension belongs to two extractors; all are lower case without a leading dot', () => {
    const owners = new Map<string, string[]>();
    for (const extractor of extractors) {
      for (const extension of extractor.extensions) {
        expect(extension).toMatch(/^[^A-Z.\s][^A-Z\s]*$/);
        owners.set(extension, [...(owners.get(extension) ?? []), extractor.name]);
      }
    }
    expect([...owners].filter(([, names]) => names.length > 1)).toEqual([]);
  });

  it('every extractor has a valid sample', () => {
    const covered = new Set(samples.map((sample) => sample.extractor));
    expect(extractors.map((extractor) => extractor.name).filter((name) => !covered.has(name))).toEqual([]);
  });

  it('extensions are found in any case, and compound ones by their last part', () => {
    expect(findExtractor('JPG')?.name).toBe('image');
    expect(findExtractor('backup.pdf')?.name).toBe('pdf');
    expect(findExtractor('')).toBeUndefined();
  });
});

/** Reads in this process, because the sandbox has its own suite. Returns the result or failure that a caller would see. */
async function read(source: Source): Promise<Extracted | ReturnType<typeof describeFailure>> {
  const extractor = findExtractor(source.extension);
  if (extractor === undefined) throw new Error(`no extractor for ${source.extension}`);
  try {
    return toPlainExtracted(await extractor.read(source), source.limits.bodyTextMaxChars);
  } catch (error) {
    return describeFailure(error, source.path);
  }
}

function expectValidOutcome(result: Extracted | ReturnType<typeof describeFailure>, source: Source): void {
  const json = JSON.stringify(result);
  expect(json).not.toContain(folder.folder);
  if ('kind' in result) {
    expect(errorKinds).toContain(result.kind);
    expect(result.message.length).toBeGreaterThan(0);
    expect(result.message.length).toBeLessThanOrEqual(400);
    return;
  }
  const { keys } = findExtractor(source.extension) as { keys: readonly string[] };
  expect(Object.keys(result.metadata).filter((key) => !keys.includes(key))).toEqual([]);
  // If an extractor declares parts of a key (`exif.iso`), it must declare all of them.
  for (const [key, value] of Object.entries(result.metadata)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !keys.some((name) => name.startsWith(`${key}.`))) continue;
    expect(
      Object.keys(value).filter((part) => !keys.includes(`${key}.${part}`)),
      key,
    ).toEqual([]);
  }
  expect(JSON.parse(json)).toEqual(result);
  expect(json).not.toContain('\\u0000');
  expect(json.isWellFormed()).toBe(true);
  expect(result.bodyText?.length ?? 0).toBeLessThanOrEqual(source.limits.bodyTextMaxChars);
  if (result.bodyText !== undefined) expect(findExtractor(source.extension)?.text).toBe(true);
}

describe.each(samples.map((sample) => [sample.filename, sample] as const))('%s', (filename, sample) => {
  let bytes: Buffer;
  const source = (data: Buffer, limits = {}) => folder.source(filename, data, { limits });
  beforeAll(async () => {
    bytes = await sample.build();
  });

  it('yields its facts with declared keys only, and the same when read again', async () => {
    const valid = source(bytes);
    expect(findExtractor(valid.extension)?.name).toBe(sample.extractor);
    const result = await read(valid);
    expectValidOutcome(result, valid);
    expect(result).not.toHaveProperty('kind');
    const { metadata, title, bodyText } = result as Extracted;
    expect(metadata).toMatchObject(sample.expected ?? {});
    if (sample.title !== undefined) expect(title).toBe(sample.title);
    if (sample.word !== undefined) expect(bodyText).toContain(sample.word);
    expect(await read(valid)).toEqual(result);
  });

  it('cuts body text to the limit and reports it', async () => {
    const short = await read(source(bytes, { bodyTextMaxChars: 3 }));
    expect((short as Extracted).bodyText?.length ?? 0).toBeLessThanOrEqual(3);
    if (sample.word !== undefined) expect(short).toMatchObject({ bodyTextTruncated: true });
  });

  it('handles empty, truncated, bit-flipped and foreign files', async () => {
    const damaged: Buffer[] = [
      Buffer.alloc(0),
      Buffer.alloc(64),
      Buffer.from('\u0000\u0001not what the name says\u00ff'.repeat(40), 'latin1'),
    ];
    for (const part of [0.1, 0.5, 0.9]) damaged.push(bytes.subarray(0, Math.floor(bytes.length * part)));
    for (let i = 0; i < 12; i++) {
      const flipped = Buffer.from(bytes);
      for (let k = 0; k <= i; k++) {
        const at = Math.floor((bytes.length * ((i * 37 + k * 101) % 997)) / 997);
        flipped[at] = (flipped[at] as number) ^ (1 << ((i + k) % 8));
      }
      damaged.push(flipped);
    }
    for (const data of damaged) {
      const broken = source(data);
      expectValidOutcome(await read(broken), broken);
    }
  });
});

describe('an error of an extractor', () => {
  it('is an ExtractError or is reported as corrupt', () => {
    expect(describeFailure(new ExtractError('guard', 'Too large.'), '/a')).toEqual({ ok: false, kind: 'guard', message: 'Too large.' });
    expect(describeFailure(new TypeError('x is undefined'), '/a').kind).toBe('corrupt');
  });
});
