import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOverlappingZip, makeZip } from '../../test/samples/archives.ts';
import { openSampleFolder, type SampleFolder } from '../../test/samples/source.ts';
import { countWords, createBodyText } from '../body-text.ts';
import { defaultLimits } from '../contract.ts';
import { createDecompressionGuard } from './decompression-guard.ts';
import { openFileBytes } from './file-bytes.ts';
import { decodeText, detectEncoding } from './text-encoding.ts';
import { readXml, readXmlChunks } from './xml.ts';
import { openZip } from './zip.ts';

let samples: SampleFolder;
beforeAll(() => {
  samples = openSampleFolder();
});
afterAll(() => samples.remove());

describe('the decompression guard', () => {
  const limits = { ...defaultLimits, decompressedMaxBytes: 1000, decompressionRatio: 10, decompressionRatioMinBytes: 100 };

  it('counts unpacked bytes and throws above the limit', () => {
    const guard = createDecompressionGuard(1_000_000, limits);
    guard.charge(1000);
    expect(() => guard.charge(1)).toThrow(expect.objectContaining({ kind: 'guard', message: expect.stringContaining('ceiling is 1000') }));
  });

  it('checks the ratio only above the minimum size', () => {
    const guard = createDecompressionGuard(1, limits);
    guard.charge(100);
    expect(() => guard.charge(1)).toThrow(expect.objectContaining({ kind: 'guard', message: expect.stringContaining('10 times') }));
    expect(createDecompressionGuard(50, limits).remaining()).toBe(500);
  });

  it('rejects a declared size before anything is unpacked', () => {
    const guard = createDecompressionGuard(1_000_000, limits);
    expect(() => guard.declare(1001)).toThrow(expect.objectContaining({ kind: 'guard' }));
    guard.declare(1000);
  });
});

describe('zip members', () => {
  const open = (bytes: Buffer, limits = defaultLimits) => openZip(openFileBytes(samples.source('a.zip', bytes).path), limits);

  it('are read whole and in chunks, also with zip64 and bytes before the archive', async () => {
    const data = Buffer.from('some text '.repeat(1000));
    for (const bytes of [
      makeZip([{ name: 'a', data }]),
      makeZip([{ name: 'a', data }], { zip64: true }),
      makeZip([{ name: 'a', data, store: true }], { before: Buffer.alloc(77) }),
    ]) {
      const zip = open(bytes);
      const entry = zip.find('a')!;
      expect(zip.read(entry).equals(data)).toBe(true);
      const pieces: Buffer[] = [];
      for await (const piece of zip.stream(entry)) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(data)).toBe(true);
    }
  });

  it('in chunks respect the budget even if the header is wrong', async () => {
    const limits = { ...defaultLimits, decompressedMaxBytes: 20 << 20, decompressionRatio: 1e9 };
    const zip = open(makeZip([{ name: 'a', data: Buffer.alloc(40 << 20), declaredSize: 8 << 20 }]), limits);
    let got = 0;
    const drain = async () => {
      for await (const piece of zip.stream(zip.find('a')!)) got += piece.length;
    };
    await expect(drain()).rejects.toMatchObject({ kind: 'guard' });
    expect(got).toBeLessThanOrEqual(20 << 20);
  });

  it('can be left early', async () => {
    const zip = open(makeZip([{ name: 'a', data: Buffer.alloc(30 << 20, 7) }]), { ...defaultLimits, decompressionRatio: 1e9 });
    for await (const piece of zip.stream(zip.find('a')!)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(zip.entries).toHaveLength(1);
  });

  it('that overlap, are encrypted or exceed the file are rejected', () => {
    expect(() => open(makeOverlappingZip(3))).toThrow(expect.objectContaining({ kind: 'guard' }));
    const locked = open(makeZip([{ name: 'a', data: 'x', encrypted: true }]));
    expect(() => locked.read(locked.find('a')!)).toThrow(
      expect.objectContaining({ kind: 'corrupt', message: expect.stringContaining('password') }),
    );
    const far = open(
      makeZip([
        { name: 'a', data: 'x' },
        { name: 'b', data: 'y', offset: 1_000_000 },
      ]),
    );
    expect(() => far.read(far.find('b')!)).toThrow(expect.objectContaining({ kind: 'corrupt' }));
  });

  it('above the limit are counted but not listed', () => {
    const zip = open(makeZip(Array.from({ length: 30 }, (_, i) => ({ name: `m${i}`, data: 'x' }))), {
      ...defaultLimits,
      archiveMaxMembers: 10,
    });
    expect([zip.entries.length, zip.truncated, zip.declaredCount]).toEqual([10, true, 30]);
  });
});

describe('XML', () => {
  const text = (xml: string): string => {
    const found: string[] = [];
    readXml(xml, { text: (piece) => void found.push(piece) });
    return found.join('');
  };

  it('reports local names, attributes and text with common entities', () => {
    const seen: unknown[] = [];
    readXml('<w:a xmlns:w="u" w:id="1">x &amp; &#x41;&nbsp;<![CDATA[<c>]]></w:a>', {
      open: (name, attributes) => void seen.push(name, attributes['id']),
      text: (piece) => void seen.push(piece),
    });
    expect(seen).toEqual(['a', '1', 'x & A\u00a0', '<c>']);
  });

  it('rejects declared entities and deep nesting as guard errors and damage as corrupt', () => {
    expect(() => text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toThrow(expect.objectContaining({ kind: 'guard' }));
    expect(() => text('<a>'.repeat(600))).toThrow(expect.objectContaining({ kind: 'guard' }));
    expect(() => text('<a><b></a>')).toThrow(expect.objectContaining({ kind: 'corrupt' }));
    expect(() => text('<a>&unknown;</a>')).toThrow(expect.objectContaining({ kind: 'corrupt' }));
  });

  it('accepts short literal entities on request, and still rejects entities that expand', () => {
    const read = (doctype: string): string => {
      const found: string[] = [];
      readXml(
        `<!DOCTYPE svg [${doctype}]><svg a="&ns;">&ns;</svg>`,
        { open: (_name, attributes) => void found.push(attributes['a'] ?? ''), text: (text) => void found.push(text) },
        { literalEntities: true },
      );
      return found.join(' ');
    };
    expect(read('<!ENTITY ns "http://ns.example/">')).toBe('http://ns.example/ http://ns.example/');
    for (const bad of [
      '<!ENTITY a "x"><!ENTITY ns "&a;&a;">',
      '<!ENTITY ns SYSTEM "file:///etc/passwd">',
      '<!ENTITY % ns "x">',
      `<!ENTITY ns "${'x'.repeat(300)}">`,
      '<!ENTITY ns "<b/>">',
    ]) {
      expect(() => read(bad), bad).toThrow(expect.objectContaining({ kind: 'guard' }));
    }
  });

  it('is read in its declared encoding, and only until shouldStop', async () => {
    const found: string[] = [];
    const latin = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>Gr\xfc\xdfe</a>', 'latin1');
    await readXmlChunks([latin.subarray(0, 50), latin.subarray(50)], { text: (piece) => void found.push(piece) });
    expect(found.join('')).toBe('Grüße');
    await readXmlChunks([Buffer.from('<a>enough'), Buffer.from('</never></closed>')], { text: () => {} }, { shouldStop: () => true });
  });
});

describe('encodings', () => {
  it.each([
    ['a byte-order mark', Buffer.from('\ufeffGrüße'), 'utf-8', 'Grüße'],
    ['UTF-16 without a mark', Buffer.from('Grüße aus Köln', 'utf16le'), 'utf-16le', 'Grüße aus Köln'],
    ['big-endian UTF-16', Buffer.from('\ufeffGrüße', 'utf16le').swap16(), 'utf-16be', 'Grüße'],
    ['UTF-8', Buffer.from('Grüße'), 'utf-8', 'Grüße'],
    ['Windows-1252', Buffer.from('\x93Gr\xfc\xdfe\x94', 'latin1'), 'windows-1252', '“Grüße”'],
    ['ASCII', Buffer.from('plain'), 'us-ascii', 'plain'],
  ])('%s', (_name, bytes, encoding, text) => {
    expect(decodeText(bytes)).toEqual({ text, encoding });
  });

  it('bytes that are not text are detected as binary', () => {
    expect(decodeText(Buffer.from([0, 1, 2, 3, 0, 0, 5, 9, 0, 7]))).toBeNull();
  });

  it('a sample that ends inside a character is still UTF-8', () => {
    expect(detectEncoding(Buffer.from('Grüße').subarray(0, 3), false).encoding).toBe('utf-8');
  });
});

describe('body text', () => {
  it('keeps every page break, also around blank pages, except at the end', () => {
    const body = createBodyText(100);
    for (const part of [' one ', '\f', '', '\f', '\n three \n', '\f', '\f']) body.add(part);
    expect(body.result().bodyText).toBe('one\f\fthree');
  });

  it('collapses whitespace, keeps paragraphs and counts words', () => {
    const body = createBodyText(100);
    body.add('  one\t two ');
    body.break();
    body.add('three-four\r\n\r\n\r\n\r\nfive');
    expect(body.result()).toEqual({ bodyText: 'one two\nthree-four\n\nfive' });
    expect(body.words()).toBe(4);
    expect(countWords("it's 12 o'clock")).toBe(3);
  });

  it('reports when text was left out, and never splits a character', () => {
    const body = createBodyText(5);
    expect(body.add('four')).toBe(true);
    expect(body.add('😀😀')).toBe(false);
    expect(body.result().bodyTextTruncated).toBe(true);
    expect(body.result().bodyText!.isWellFormed()).toBe(true);
    const exact = createBodyText(5);
    exact.add('12345');
    exact.add('   ');
    expect(exact.result()).toEqual({ bodyText: '12345' });
  });
});
