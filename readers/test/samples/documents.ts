/** Valid samples of documents of rarer programs, and of saved web pages. */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { makeZip } from './archives.ts';
import { makeCompoundFile, makePropertySet } from './compound-files.ts';
import { type Sample, u16le, u32le } from './sample.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const double = (value: number): Buffer => Buffer.from(Float64Array.of(value).buffer);

/** A record of an xlsb part: type and size in seven bits per byte. */
function binaryRecord(type: number, ...data: Buffer[]): Buffer {
  const body = Buffer.concat(data);
  const number = (value: number) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
  return Buffer.concat([Buffer.from([...number(type), ...number(body.length)]), body]);
}
const wideString = (text: string): Buffer => Buffer.concat([u32le(text.length), wide(text)]);
const cell = (column: number, style = 0): Buffer => Buffer.concat([u32le(column), u32le(style)]);

function makeXlsb(): Buffer {
  const sheet = Buffer.concat([
    binaryRecord(0, Buffer.alloc(17)),
    binaryRecord(7, cell(0), u32le(0)),
    binaryRecord(5, cell(1), double(12.5)),
    binaryRecord(2, cell(2), u32le(((4200 << 2) | 3) >>> 0)),
    binaryRecord(6, cell(3), wideString('inline')),
    binaryRecord(5, cell(4, 1), double(36_526)),
  ]);
  const styles = Buffer.concat([
    binaryRecord(44, u16le(170), wideString('dd.mm.yyyy')),
    binaryRecord(617, u32le(2)),
    binaryRecord(47, u16le(0), u16le(0)),
    binaryRecord(47, u16le(0), u16le(170)),
    binaryRecord(618),
  ]);
  const links = '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.bin"/></Relationships>';
  return makeZip([
    { name: 'xl/workbook.bin', data: binaryRecord(156, u32le(0), u32le(1), wideString('rId1'), wideString('Prices')) },
    { name: 'xl/_rels/workbook.bin.rels', data: links },
    { name: 'xl/sharedStrings.bin', data: binaryRecord(19, Buffer.from([0]), wideString('Oranges')) },
    { name: 'xl/worksheets/sheet1.bin', data: sheet },
    { name: 'xl/styles.bin', data: styles },
  ]);
}

function makeWordPerfect(version: 5 | 6): Buffer {
  const head = Buffer.concat([latin('\xffWPC'), u32le(16), Buffer.from([1, 10, version === 6 ? 2 : 0, 1]), u16le(0), u16le(0)]);
  const function6 = Buffer.from([0xd4, 0x1a, 10, 0, 0x41, 0x42, 0x43, 0, 0, 0xd4]);
  const function5 = Buffer.from([0xd0, 1, 6, 0, 0x41, 0x42, 0, 0, 1, 0xd0]);
  const [hidden, visible] = [Buffer.from([0xf1, 0, 0, 0, 0xf1]), Buffer.from([0xf1, 1, 0, 0, 0xf1])];
  const words6 = [latin('Dear\x80Mr.\x80M'), Buffer.from([0xf0, 71, 1, 0xf0]), latin('ller\xcc'), hidden, latin('withdrawn'), visible];
  const words5 = [latin('Dear Mr. M'), Buffer.from([0xc0, 71, 1, 0xc0]), latin('ller\n')];
  return Buffer.concat([head, version === 6 ? function6 : function5, ...(version === 6 ? words6 : words5), latin('Regards')]);
}

const sheetRecord = (type: number, ...data: Buffer[]): Buffer => {
  const body = Buffer.concat(data);
  return Buffer.concat([u16le(type), u16le(body.length), body]);
};
const makeLotus = (): Buffer =>
  Buffer.concat([
    sheetRecord(0, u16le(0x406)),
    sheetRecord(15, Buffer.alloc(5), latin("'Caf\x82 sales\0")),
    sheetRecord(14, Buffer.alloc(5), double(19.5)),
    sheetRecord(13, Buffer.alloc(5), u16le(7)),
    sheetRecord(1),
  ]);
const makeLotus3 = (): Buffer =>
  Buffer.concat([sheetRecord(0, u16le(0x1000), Buffer.alloc(24)), sheetRecord(22, Buffer.alloc(4), latin("'Employees\0")), sheetRecord(1)]);
const makeQuattro = (): Buffer =>
  Buffer.concat([sheetRecord(0, u16le(0x1001)), sheetRecord(15, Buffer.alloc(6), latin("'Budget\0")), sheetRecord(1)]);

function makeHangul(): Buffer {
  const header = Buffer.alloc(256);
  header.write('HWP Document File', 0, 'latin1');
  header.writeUInt32LE(1, 36);
  const control = Buffer.from(Uint16Array.of(2, 0x6364, 0x7365, 0, 0, 0, 0, 2).buffer);
  const text = Buffer.concat([control, wide('안녕하세요 세계\r')]);
  const section = Buffer.concat([u32le((67 | (text.length << 20)) >>> 0), text]);
  return makeCompoundFile({ FileHeader: header, 'BodyText/Section0': deflateRawSync(section) });
}

function makeWrite(): Buffer {
  const text = latin('Letters written with Write\r\n');
  const head = Buffer.alloc(128);
  head.writeUInt16LE(0xbe31, 0);
  head.writeUInt32LE(128 + text.length, 14);
  return Buffer.concat([head, text, Buffer.alloc(128)]);
}

/** The stream of Works since 2000 and of Publisher: an index entry of 24 bytes, then the text. */
function makeChunks(signature: string, text: string): Buffer {
  const head = Buffer.concat([latin(signature), Buffer.alloc(24)]);
  const entry = Buffer.concat([u16le(24), latin('TEXT'), Buffer.alloc(6), latin('TEXT'), u32le(head.length + 24), u32le(text.length * 2)]);
  return Buffer.concat([head, entry, wide(text)]);
}

function makeOldWorks(): Buffer {
  const text = latin('Garden plan for spring');
  const head = Buffer.alloc(256);
  head.writeUInt16LE(0xfe04, 0);
  head.writeUInt32LE(256 + text.length, 0x26);
  return makeCompoundFile({ MN0: Buffer.concat([head, text, Buffer.alloc(64)]) });
}

function makeOneNote(): Buffer {
  const sized = (data: Buffer) => Buffer.concat([u32le(data.length), data]);
  const identifier = Buffer.from('7b5c52e4d88ca74daeb15378d02996d3', 'hex');
  return Buffer.concat([
    Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'),
    Buffer.alloc(64),
    sized(wide('Meeting notes of Monday\0')),
    sized(identifier),
    sized(latin('Buy milk')),
    sized(wide('会议记录')),
  ]);
}

type Plain = string | number | Buffer | Plain[] | { [key: string]: Plain };

/** Writes a binary property list with references of two bytes. */
function makeBinaryPlist(top: Plain): Buffer {
  const objects: Buffer[] = [];
  const ref = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
  const marked = (kind: number, length: number): Buffer =>
    length < 15
      ? Buffer.from([(kind << 4) | length])
      : Buffer.concat([Buffer.from([(kind << 4) | 15, 0x12]), Buffer.from([0, 0, length >> 8, length & 255])]);
  const add = (value: Plain): number => {
    const index = objects.length;
    objects.push(Buffer.alloc(0));
    if (typeof value === 'string') objects[index] = Buffer.concat([marked(6, value.length), wide(value).swap16()]);
    else if (typeof value === 'number') objects[index] = Buffer.from([0x11, value >> 8, value & 255]);
    else if (Buffer.isBuffer(value)) objects[index] = Buffer.concat([marked(4, value.length), value]);
    else if (Array.isArray(value)) objects[index] = Buffer.concat([marked(10, value.length), ...value.map(add).map(ref)]);
    else {
      const keys = Object.keys(value).map(add).map(ref);
      const values = Object.values(value).map(add).map(ref);
      objects[index] = Buffer.concat([marked(13, keys.length), ...keys, ...values]);
    }
    return index;
  };
  add(top);
  const offsets: Buffer[] = [];
  let at = 8;
  for (const object of objects) {
    offsets.push(Buffer.from([at >> 8, at & 255]));
    at += object.length;
  }
  const trailer = Buffer.alloc(32);
  trailer.writeUInt8(2, 6);
  trailer.writeUInt8(2, 7);
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(at), 24);
  return Buffer.concat([latin('bplist00'), ...objects, ...offsets, trailer]);
}

const html = '<html><head><title>Saved page</title></head><body><p>Lighthouses of Brittany</p></body></html>';

function makeWarc(): Buffer {
  const record = (type: string, url: string, content: string) =>
    `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: ${url}\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}\r\n\r\n`;
  const chunked = `${html.length.toString(16)}\r\n${html}\r\n0\r\n\r\n`;
  const response = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`;
  return Buffer.from(record('warcinfo', '', 'software: Crawler 1.0\r\n') + record('response', 'https://example.org/', response));
}

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><rdf:Description xmlns:xmp="x" xmlns:exif="e" xmp:Rating="4" exif:DateTimeOriginal="2023-06-01T12:30:00"><dc:subject xmlns:dc="d"><rdf:Bag><rdf:li>harbour</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;
const aae = `<?xml version="1.0"?><plist version="1.0"><dict><key>adjustmentEditorBundleID</key><string>com.apple.mobileslideshow</string><key>adjustmentFormatIdentifier</key><string>com.apple.photo</string><key>adjustmentTimestamp</key><date>2024-01-02T03:04:05Z</date></dict></plist>`;
const properties = makePropertySet({ 2: 'Flyer', 4: 'Anna' });

export const documentSamples: readonly Sample[] = [
  {
    extractor: 'xlsb',
    filename: 'prices.xlsb',
    build: makeXlsb,
    expected: { sheets: ['Prices'], cells: 5 },
    word: 'Oranges 12.5 42 inline 01.01.2000 2000-01-01',
  },
  {
    extractor: 'old-document',
    filename: 'letter.wpd',
    build: () => makeWordPerfect(6),
    expected: { format: 'WordPerfect 6', word_count: 4 },
    word: 'Dear Mr. Müller\nRegards',
  },
  {
    extractor: 'old-document',
    filename: 'letter.wp5',
    build: () => makeWordPerfect(5),
    expected: { format: 'WordPerfect 5' },
    word: 'Dear Mr. Müller\nRegards',
  },
  {
    extractor: 'old-document',
    filename: 'sales.wk1',
    build: makeLotus,
    expected: { format: 'Lotus 1-2-3', cells: 3 },
    word: 'Café sales 19.5 7',
  },
  { extractor: 'old-document', filename: 'staff.wk3', build: makeLotus3, expected: { format: 'Lotus 1-2-3' }, word: 'Employees' },
  { extractor: 'old-document', filename: 'budget.wb1', build: makeQuattro, expected: { format: 'Quattro Pro' }, word: 'Budget' },
  { extractor: 'old-document', filename: 'report.hwp', build: makeHangul, expected: { format: 'Hangul' }, word: '안녕하세요 세계' },
  {
    extractor: 'old-document',
    filename: 'letter.wri',
    build: makeWrite,
    expected: { format: 'Write' },
    word: 'Letters written with Write',
  },
  { extractor: 'old-document', filename: 'plan.wps', build: makeOldWorks, expected: { format: 'Works' }, word: 'Garden plan' },
  {
    extractor: 'old-document',
    filename: 'list.wps',
    build: () => makeCompoundFile({ CONTENTS: makeChunks('CHNKWKS ', 'Shopping list') }),
    expected: { format: 'Works' },
    word: 'Shopping list',
  },
  {
    extractor: 'old-document',
    filename: 'text.sdw',
    build: () => makeCompoundFile({ StarWriterDocument: Buffer.concat([Buffer.alloc(9), u16le(19), latin('A StarOffice letter')]) }),
    expected: { format: 'StarOffice' },
    word: 'A StarOffice letter',
  },
  {
    extractor: 'old-document',
    filename: 'notes.one',
    build: makeOneNote,
    expected: { format: 'OneNote' },
    word: 'Meeting notes of Monday\nBuy milk\n会议记录',
  },
  {
    extractor: 'certificate',
    filename: 'flyer.pub',
    build: () =>
      makeCompoundFile({ 'Quill/QuillSub/CONTENTS': makeChunks('CHNKINK ', 'Summer party'), '\u0005SummaryInformation': properties }),
    expected: { format: 'Publisher', title: 'Flyer', author: 'Anna' },
    word: 'Summer party',
  },
  {
    extractor: 'packaged-document',
    filename: 'brochure.idml',
    build: () =>
      makeZip([
        { name: 'Stories/Story_u1.xml', data: '<Story><Content>Welcome to the valley</Content><Br/></Story>' },
        { name: 'Spreads/Spread_u2.xml', data: '<Spread><Page/><Page/></Spread>' },
      ]),
    expected: { format: 'IDML', pages: 2, word_count: 4 },
    word: 'Welcome to the valley',
  },
  {
    extractor: 'packaged-document',
    filename: 'walks.kmz',
    build: () =>
      makeZip([
        {
          name: 'doc.kml',
          data: '<kml><Document><name>Walks</name><Placemark><name>Old bridge</name><description><![CDATA[<b>Narrow</b> path]]></description></Placemark></Document></kml>',
        },
      ]),
    expected: { format: 'KMZ', places: 1, title: 'Walks' },
    title: 'Walks',
    word: 'Old bridge',
  },
  {
    extractor: 'packaged-document',
    filename: 'members.odb',
    build: () => makeZip([{ name: 'content.xml', data: '<o><queries><query name="Birthdays" command="SELECT name"/></queries></o>' }]),
    expected: { queries: 1 },
    word: 'Birthdays',
  },
  {
    extractor: 'property-list',
    filename: 'settings.plist',
    build: () => makeBinaryPlist({ Name: 'Straße', Sizes: [300, 1] }),
    expected: { format: 'Binary property list' },
    word: 'Straße',
  },
  {
    extractor: 'property-list',
    filename: 'IMG_1.AAE',
    build: () => latin(aae),
    expected: { edit: { editor: 'com.apple.mobileslideshow', time: '2024-01-02T03:04:05Z' } },
  },
  {
    extractor: 'saved-pages',
    filename: 'page.webarchive',
    build: () =>
      makeBinaryPlist({
        WebMainResource: { WebResourceURL: 'https://example.org/', WebResourceMIMEType: 'text/html', WebResourceData: latin(html) },
      }),
    expected: { saved: { format: 'webarchive', url: 'https://example.org/', pages: 1 } },
    title: 'Saved page',
  },
  {
    extractor: 'saved-pages',
    filename: 'crawl.warc',
    build: makeWarc,
    expected: { saved: { format: 'warc', records: 2, pages: 1, software: 'Crawler 1.0' } },
    title: 'Saved page',
    word: 'Lighthouses of Brittany',
  },
  {
    extractor: 'packed',
    filename: 'crawl.warc.gz',
    build: () => gzipSync(makeWarc()),
    expected: { saved: { records: 2 } },
    word: 'Lighthouses of Brittany',
  },
  {
    extractor: 'saved-pages',
    filename: 'crawl.wacz',
    build: () => makeZip([{ name: 'archive/data.warc.gz', data: gzipSync(makeWarc()) }]),
    expected: { saved: { format: 'wacz' } },
    word: 'Lighthouses of Brittany',
  },
  {
    extractor: 'xmp',
    filename: 'IMG_1.xmp',
    build: () => latin(xmp),
    expected: { rating: 4, taken_at: '2023-06-01T12:30:00', keywords: ['harbour'] },
    word: 'harbour',
  },
];
