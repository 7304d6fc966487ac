/** Documents of rare programs, written by hand from their record structure. */
import { deflateRawSync } from 'node:zlib';
import { makeCompoundFile } from './compound-files.ts';
import { type Sample, u16le, u32le } from './sample.ts';

export const sheetRecord = (type: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u16le(type), u16le(body.length), body]);
};
const text = (value: string): Buffer => Buffer.concat([u16le(value.length), Buffer.from([0]), Buffer.from(`${value}\0`, 'latin1')]);
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const byte = (value: number): Buffer => Buffer.from([value]);

/** A notebook of Quattro Pro 9: texts, single and repeated cells, a series, a formula with a number and one with a text. */
export function makeQuattroNotebook(): Buffer {
  const column = (...cells: Buffer[]) => sheetRecord(0xc01, u32le(0), u32le(cells.length), ...cells);
  const stream = Buffer.concat([
    sheetRecord(1, Buffer.from('QPW9'), Buffer.alloc(10)),
    sheetRecord(0x407, u32le(2), u32le(3), u32le(0), text('Mooring'), text('Vessel')),
    sheetRecord(0x601, Buffer.alloc(18), text('Harbour')),
    column(byte(0x47), u16le(2), u32le(1), u32le(2), byte(0x82), u16le(12), u16le(41_689), byte(0x41), u16le(3)),
    column(byte(0x62), u16le(3), u16le(12), u16le(0xffff), byte(8), double(7.5), Buffer.alloc(6), byte(5), double(0.25)),
    column(byte(8), double(Number.NaN), Buffer.alloc(6)),
    sheetRecord(0xc02, u16le(1), u32le(1), text('Joined by formula')),
  ]);
  return makeCompoundFile({ NativeContent_MAIN: stream });
}

/** A worksheet of Quattro Pro 7, whose labels have a zero byte for the alignment. */
export function makeQuattroSheet(): Buffer {
  const stream = Buffer.concat([
    sheetRecord(0, u16le(0x1007)),
    sheetRecord(15, Buffer.alloc(6), Buffer.from('\0Lighthouse\0')),
    sheetRecord(14, Buffer.alloc(6), double(61.5)),
  ]);
  return makeCompoundFile({ PerfectOffice_MAIN: stream });
}

/** A worksheet of Lotus 1-2-3 release 3 with each encoding of numbers: 7, -1500, 0.35, 12.5 and -2. */
export function makeLotus3(): Buffer {
  const cell = Buffer.alloc(4);
  const extended = Buffer.concat([u32le(0), u32le(0xc8000000), u16le(0x4002)]);
  return Buffer.concat([
    sheetRecord(0, u16le(0x1000), Buffer.alloc(24)),
    sheetRecord(22, cell, Buffer.from("'Dry dock\0")),
    sheetRecord(24, cell, u16le(7 << 1)),
    sheetRecord(24, cell, u16le(((-3 << 4) | (1 << 1) | 1) & 0xffff)),
    sheetRecord(37, cell, u32le((35 << 6) | 0x10 | 2)),
    sheetRecord(23, cell, extended),
    sheetRecord(40, cell, double(-2)),
  ]);
}

const unit = (...codes: number[]): Buffer => Buffer.concat(codes.map(u16le));
/** A syllable composed of its letters, in the order of Unicode. */
function syllable(character: string): number {
  const index = character.charCodeAt(0) - 0xac00;
  const [initial, medial, final] = [Math.floor(index / 588), Math.floor(index / 28) % 21, index % 28];
  const medialCode = medial < 5 ? medial + 3 : medial < 11 ? medial + 5 : medial < 17 ? medial + 7 : medial + 9;
  return 0x8000 | ((initial + 2) << 10) | (medialCode << 5) | (final < 17 ? final + 1 : final + 2);
}
const codesOf = (words: string): number[] =>
  [...words].map((character) => (character.charCodeAt(0) < 128 ? character.charCodeAt(0) : syllable(character)));

/** Each paragraph with its own shape and one line, the first also with the shape of each character. */
function hangulParagraphs(...paragraphs: Buffer[]): Buffer {
  const written = paragraphs.map((characters, at) => {
    const count = hangulCount(characters);
    const shapes =
      at === 0 ? Buffer.concat(Array.from({ length: count }, (_, n) => (n === 0 ? Buffer.alloc(32) : byte(1)))) : Buffer.alloc(0);
    const head = Buffer.concat([byte(0), u16le(count), u16le(1), byte(at === 0 ? 1 : 0), Buffer.alloc(37)]);
    return Buffer.concat([head, Buffer.alloc(187 + 14), shapes, characters]);
  });
  return Buffer.concat([...written, Buffer.alloc(43)]);
}

/** The characters of a paragraph, of which a table or footnote counts as four. */
const counts = new WeakMap<Buffer, number>();
const hangulCount = (characters: Buffer): number => counts.get(characters) ?? characters.length / 2;

/** A document of Hangul 3 with a table of one cell, its caption, and a footnote. */
export function makeHangul3(): Buffer {
  const cell = unit(...codesOf('표'), 13);
  const caption = unit(...codesOf('caption'), 13);
  const note = unit(...codesOf('note'), 13);
  const table = Buffer.concat([unit(10), Buffer.alloc(6), Buffer.alloc(80), u16le(1), u16le(0), Buffer.alloc(27)]);
  const withObjects = Buffer.concat([
    unit(...codesOf('A ')),
    ...[table, hangulParagraphs(cell), hangulParagraphs(caption)],
    ...[unit(17), Buffer.alloc(6 + 14), hangulParagraphs(note)],
    unit(...codesOf(' end'), 13),
  ]);
  counts.set(withObjects, 2 + 4 + 4 + 4 + 1);
  const content = Buffer.concat([
    ...Array.from({ length: 7 }, () => Buffer.concat([u16le(1), Buffer.alloc(40)])),
    ...[u16le(1), Buffer.alloc(238)],
    // 0x4000 is the first Chinese character of the Korean standard.
    hangulParagraphs(unit(...codesOf('한글 문서'), 9, 0, 0, 9, 0x4000, 13), withObjects),
  ]);
  const info = Buffer.alloc(128);
  info[124] = 1;
  const summary = Buffer.alloc(1008);
  unit(...codesOf('제목')).copy(summary);
  const signature = Buffer.from('HWP Document File V3.00 \x1a\x01\x02\x03\x04\x05', 'latin1');
  return Buffer.concat([signature, info, summary, deflateRawSync(content)]);
}

/** An InDesign document: two header pages, then an object with the description. */
export function makeInDesign(picture: Buffer): Buffer {
  const page = (sequence: number): Buffer => {
    const bytes = Buffer.alloc(4096);
    bytes.write('0606edf5d81d46e5bd31efe7fe74b71d', 'hex');
    bytes.write('DOCUMENT', 16);
    bytes.writeUInt32LE(sequence, 264);
    bytes.writeUInt32LE(sequence === 2 ? 2 : 99, 280);
    return bytes;
  };
  const object = (content: Buffer): Buffer => {
    const header = Buffer.alloc(32);
    header.write('de39397951884b6c8e63eef8aee0dd38', 'hex');
    header.writeUInt32LE(content.length + 4, 24);
    return Buffer.concat([header, u32le(content.length), content, Buffer.alloc(32)]);
  };
  const lines = picture.toString('base64').replace(/.{76}/g, '$&&#xA;');
  const xmp = `<?xpacket begin="\ufeff" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Harbour brochure</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Ann Example</rdf:li></rdf:Seq></dc:creator><xmp:CreateDate>2013-08-13T15:35:42-04:00</xmp:CreateDate><xmp:CreatorTool>Adobe InDesign CS6</xmp:CreatorTool><xmpGImg:image>${lines}</xmpGImg:image></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
  return Buffer.concat([page(1), page(2), object(Buffer.from('other')), object(Buffer.from(xmp))]);
}

/** A shortcut of Windows to a file on a share, with a name and arguments. */
export function makeShellLink(): Buffer {
  const header = Buffer.alloc(76);
  header.write('4c0000000114020000000000c000000000000046', 'hex');
  header.writeUInt32LE(1 | 2 | 4 | 32 | 128, 20);
  const share = Buffer.concat([u32le(33), u32le(2), u32le(20), u32le(0), u32le(0x20000), Buffer.from('\\\\pier\\docs\0')]);
  const suffix = Buffer.from('2024\\plan.pdf\0');
  const sizes = [28 + share.length + suffix.length, 28, 2, 0, 0, 28, 28 + share.length];
  const info = Buffer.concat([...sizes.map(u32le), share, suffix]);
  const string = (value: string) => Buffer.concat([u16le(value.length), Buffer.from(value, 'utf16le')]);
  return Buffer.concat([header, u16le(4), Buffer.alloc(4), info, string('Harbour plan'), string('/page 3')]);
}

/** A colour profile with its name. */
export function makeColorProfile(): Buffer {
  const head = Buffer.alloc(132);
  head.write('mntrRGB ', 12, 'latin1');
  for (const [n, part] of [2020, 5, 6, 7, 8, 9].entries()) head.writeUInt16BE(part, 24 + n * 2);
  head.write('acsp', 36, 'latin1');
  head.writeUInt32BE(1, 128);
  const entry = Buffer.alloc(12);
  entry.write('desc', 'latin1');
  entry.writeUInt32BE(144, 4);
  entry.writeUInt32BE(32, 8);
  const name = Buffer.alloc(32);
  name.write('desc', 'latin1');
  name.writeUInt32BE(11, 8);
  name.write('Pier light', 12, 'latin1');
  return Buffer.concat([head, entry, name]);
}

const inDesignFacts = { format: 'InDesign', title: 'Harbour brochure', author: 'Ann Example', application: 'Adobe InDesign CS6' };

// biome-ignore format: one sample per line is easier to scan.
export const rareDocumentSamples: readonly Sample[] = [
  { extractor: 'old-document', filename: 'berths.qpw', build: makeQuattroNotebook, word: 'Mooring Vessel 41689\n12 11 10 7.5 0.25\nJoined by formula', expected: { format: 'Quattro Pro', sheets: ['Harbour'] } },
  { extractor: 'old-document', filename: 'berths.wb3', build: makeQuattroSheet, word: 'Lighthouse 61.5', expected: { format: 'Quattro Pro', cells: 2 } },
  { extractor: 'old-document', filename: 'berths.wk3', build: makeLotus3, word: 'Dry dock 7 -1500 0.35 12.5 -2', expected: { format: 'Lotus 1-2-3', cells: 6 } },
  { extractor: 'old-document', filename: 'letter3.hwp', build: makeHangul3, word: '한글 문서', expected: { format: 'Hangul 3', title: '제목' } },
  { extractor: 'indesign', filename: 'brochure.indd', build: () => makeInDesign(Buffer.from('x')), title: 'Harbour brochure', expected: inDesignFacts },
  { extractor: 'shortcut', filename: 'plan.lnk', build: makeShellLink, word: 'Harbour plan', expected: { shortcut: { target: '\\\\pier\\docs\\2024\\plan.pdf', description: 'Harbour plan', arguments: '/page 3' } } },
  { extractor: 'shortcut', filename: 'site.url', build: () => Buffer.from('[InternetShortcut]\r\nURL=https://example.org/?a=1\r\n'), word: 'example.org', expected: { shortcut: { target: 'https://example.org/?a=1' } } },
  { extractor: 'shortcut', filename: 'site.webloc', build: () => Buffer.from('<?xml version="1.0"?><plist><dict><key>URL</key><string>https://example.org/?a=1&amp;b=2</string></dict></plist>'), word: 'example.org', expected: { shortcut: { target: 'https://example.org/?a=1&b=2' } } },
  { extractor: 'color-profile', filename: 'pier.icc', build: makeColorProfile, title: 'Pier light', expected: { color_space: 'RGB', device: 'display', created: '2020-05-06T07:08:09.000Z' } },
];
