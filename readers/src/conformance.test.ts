/** One suite for every extractor: what it declares, what it yields for a valid file, and how it ends on a damaged one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples } from '../test/samples/index.ts';
import { openSampleFolder, type SampleFolder } from '../test/samples/source.ts';
import { ExtractError, type Extracted, type Source } from './contract.ts';
import { extractors, findExtractor } from './registry.ts';
import { describeFailure } from './sandbox/failure.ts';
import { toPlainExtracted } from './tasks/extract-task.ts';

const kinds = ['guard', 'corrupt', 'dependency', 'timeout'];
let folder: SampleFolder;
beforeAll(() => {
  folder = openSampleFolder();
});
afterAll(() => folder.remove());

describe('what extractors declare', () => {
  it('each has a name of its own, a version and at least one extension', () => {
    expect(new Set(extractors.map((extractor) => extractor.name)).size).toBe(extractors.length);
    for (const extractor of extractors) {
      expect(extractor.version, extractor.name).toBeGreaterThanOrEqual(1);
      expect(extractor.extensions.length, extractor.name).toBeGreaterThan(0);
      for (const tool of extractor.tools) expect(tool.lost, tool.name).not.toBe('');
    }
  });

  it('no extension belongs to two extractors, and all are lower case without a dot in front', () => {
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

  it('extensions are found whatever their case, and compound ones by their last part', () => {
    expect(findExtractor('JPG')?.name).toBe('image');
    expect(findExtractor('backup.pdf')?.name).toBe('pdf');
    expect(findExtractor('')).toBeUndefined();
  });
});

/** Reads in this process; the sandbox itself has its own suite. Gives the result or the failure a caller would see. */
async function read(source: Source): Promise<Extracted | ReturnType<typeof describeFailure>> {
  const extractor = findExtractor(source.extension);
  if (extractor === undefined) throw new Error(`no extractor for ${source.extension}`);
  try {
    return toPlainExtracted(await extractor.read(source), source.limits.bodyTextMaxChars);
  } catch (error) {
    return describeFailure(error, source.path);
  }
}

function expectHonest(result: Extracted | ReturnType<typeof describeFailure>, source: Source): void {
  const shown = JSON.stringify(result);
  expect(shown).not.toContain(folder.folder);
  if ('kind' in result) {
    expect(kinds).toContain(result.kind);
    expect(result.message.length).toBeGreaterThan(0);
    expect(result.message.length).toBeLessThanOrEqual(400);
    return;
  }
  const { keys } = findExtractor(source.extension) as { keys: readonly string[] };
  expect(Object.keys(result.metadata).filter((key) => !keys.includes(key))).toEqual([]);
  // Where parts of a key are declared (`exif.iso`), every part must be.
  for (const [key, value] of Object.entries(result.metadata)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !keys.some((name) => name.startsWith(`${key}.`))) continue;
    expect(
      Object.keys(value).filter((part) => !keys.includes(`${key}.${part}`)),
      key,
    ).toEqual([]);
  }
  expect(JSON.parse(shown)).toEqual(result);
  expect(shown).not.toContain('\\u0000');
  expect(shown.isWellFormed()).toBe(true);
  expect(result.bodyText?.length ?? 0).toBeLessThanOrEqual(source.limits.bodyTextMaxChars);
}

describe.each(samples.map((sample) => [sample.filename, sample] as const))('%s', (filename, sample) => {
  let bytes: Buffer;
  const source = (data: Buffer, limits = {}) => folder.source(filename, data, { limits });
  beforeAll(async () => {
    bytes = await sample.build();
  });

  it('yields its facts, only declared keys, and the same again', async () => {
    const valid = source(bytes);
    expect(findExtractor(valid.extension)?.name).toBe(sample.extractor);
    const result = await read(valid);
    expectHonest(result, valid);
    expect(result).not.toHaveProperty('kind');
    const { metadata, title, bodyText } = result as Extracted;
    expect(metadata).toMatchObject(sample.expected ?? {});
    if (sample.title !== undefined) expect(title).toBe(sample.title);
    if (sample.word !== undefined) expect(bodyText).toContain(sample.word);
    expect(await read(valid)).toEqual(result);
  });

  it('keeps to the stored length of text and says so', async () => {
    const short = await read(source(bytes, { bodyTextMaxChars: 3 }));
    expect((short as Extracted).bodyText?.length ?? 0).toBeLessThanOrEqual(3);
    if (sample.word !== undefined) expect(short).toMatchObject({ bodyTextTruncated: true });
  });

  it('ends on an empty, a truncated, a bit-flipped and a foreign file', async () => {
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
      expectHonest(await read(broken), broken);
    }
  });
});

describe('an error of a reader', () => {
  it('is an ExtractError or is called corrupt', () => {
    expect(describeFailure(new ExtractError('guard', 'Too large.'), '/a')).toEqual({ ok: false, kind: 'guard', message: 'Too large.' });
    expect(describeFailure(new TypeError('x is undefined'), '/a').kind).toBe('corrupt');
  });
});
