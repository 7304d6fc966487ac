import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { makeAccessDatabase, rc4Stream } from '../../../test/samples/access-database.ts';
import { makeZip } from '../../../test/samples/archives.ts';
import { makeCompoundFile } from '../../../test/samples/compound-files.ts';
import { photo } from '../../../test/samples/images.ts';
import { encoderFor } from '../../../test/samples/languages.ts';
import { makeDocx } from '../../../test/samples/office.ts';
import { u16le, u32le } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import extract from '../../tasks/extract-task.ts';
import { dataFile } from '../database/data-file.ts';
import { legacyOffice } from './legacy-office.ts';
import { numberTexts } from './number-format.ts';
import { openDocument } from './odf.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const record = (type: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u16le(type), u16le(body.length), body]);
};
const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const cell = (row: number, format = 0) => Buffer.concat([u16le(row), u16le(0), u16le(format)]);
const wide = (text: string) => Buffer.concat([u16le(text.length), Buffer.from([1]), Buffer.from(text, 'utf16le')]);
const readXls = async (book: Buffer, name = 'Workbook') => legacyOffice.read(samples.source('a.xls', makeCompoundFile({ [name]: book })));
const text = (bytes: Buffer, name: string) => extract(samples.source(name, bytes), { provenance: false });
const extracted = async (bytes: Buffer, name: string) => {
  const result = await text(bytes, name);
  return 'extracted' in result ? result.extracted : undefined;
};

const pdfPage = (words: string) => {
  const content = `BT /F1 12 Tf 50 700 Td (${words}) Tj ET`;
  return Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj\ntrailer<</Root 1 0 R>>\n`,
  );
};

describe('Excel workbooks', () => {
  const book = Buffer.concat([
    record(0x809, u16le(0x600), u16le(5), Buffer.alloc(12)),
    record(0x41e, u16le(164), wide('dd.mm.yyyy')),
    record(0xe0, u16le(0), u16le(0), Buffer.alloc(16)),
    record(0xe0, u16le(0), u16le(164), Buffer.alloc(16)),
    record(0xfc, u32le(1), u32le(1), u16le(4), Buffer.from([0]), Buffer.from('pear')),
    record(0x809, u16le(0x600), u16le(16), Buffer.alloc(12)),
    record(0xfd, cell(0), u32le(0)),
    record(0x203, cell(1), double(1234.5)),
    record(0x203, cell(1, 1), double(36_526)),
    record(0xbd, u16le(2), u16le(0), u16le(0), u32le((77 << 2) | 2), u16le(0), u32le((1250 << 2) | 3), u16le(1)),
    record(0x06, cell(3), double(88.25), Buffer.alloc(8)),
    record(0x06, cell(3), Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), Buffer.alloc(8)),
    record(0x207, wide('result of a formula')),
    record(0x1b6, Buffer.alloc(10), u16le(8), Buffer.alloc(6)),
    record(0x3c, Buffer.from([0]), Buffer.from('a remark')),
  ]);

  it('yield numbers, dates, results of formulas and comments beside texts', async () => {
    const { bodyText } = await readXls(book);
    for (const word of ['pear', '1234.5', '2000-01-01', '77', '12.5', '88.25', 'result of a formula', 'a remark'])
      expect(bodyText).toContain(word);
  });

  it('that are protected against changes only are readable; others count as encrypted', async () => {
    const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
    const keyFor = (password: string, salt: Buffer) => {
      const first = md5(Buffer.from(password, 'utf16le')).subarray(0, 5);
      return md5(...Array.from({ length: 16 }, () => Buffer.concat([first, salt]))).subarray(0, 5);
    };
    const protect = (password: string) => {
      const [salt, verifier] = [Buffer.alloc(16, 7), Buffer.alloc(16, 9)];
      const stream = rc4Stream(md5(keyFor(password, salt), u32le(0)), 1024);
      const mixed = (bytes: Buffer, at: number) => Buffer.from(bytes.map((byte, n) => byte ^ (stream[at + n] as number)));
      const header = record(0x2f, u16le(1), u16le(1), u16le(1), salt, mixed(verifier, 0), mixed(md5(verifier), 16));
      const start = record(0x809, u16le(0x600), u16le(5), Buffer.alloc(12));
      const content = Buffer.concat([cell(0), wide('a locked pear')]);
      const at = start.length + header.length + 4;
      return Buffer.concat([start, header, u16le(0x204), u16le(content.length), mixed(content, at)]);
    };
    expect(await readXls(protect('VelvetSweatshop'))).toMatchObject({ bodyText: 'a locked pear' });
    expect((await readXls(protect('secret'))).metadata).toMatchObject({ encrypted: true });
    // Excel 5: every byte is turned by five bits and combined with one of 16.
    const turned = (byte: number, bits: number) => ((byte << bits) | (byte >> (8 - bits))) & 255;
    const mask = [...Buffer.from('VelvetSweatshop'), 0xbb].map((byte, n) => turned(byte ^ (n % 2 === 0 ? 0x59 : 0xb3), 7));
    const start = Buffer.concat([record(0x809, u16le(0x500), u16le(5), Buffer.alloc(4)), record(0x2f, Buffer.from('59b30a9a', 'hex'))]);
    const content = Buffer.concat([cell(0), u16le(10), Buffer.from('an old fig')]);
    const hidden = content.map((byte, n) => turned(byte, 5) ^ (mask[(start.length + 4 + n + content.length) % 16] as number));
    const old = Buffer.concat([start, u16le(0x204), u16le(content.length), hidden]);
    expect((await readXls(old, 'Book')).bodyText).toContain('an old fig');
  });

  it('are read where they are inserted into another document, too', async () => {
    const bytes = makeCompoundFile({
      Workbook: book,
      'MBD01/Workbook': Buffer.concat([record(0x809, u16le(0x600), Buffer.alloc(14)), record(0x204, cell(0), wide('inserted cell'))]),
    });
    const { bodyText } = await legacyOffice.read(samples.source('a.xls', bytes));
    expect(bodyText).toContain('pear');
    expect(bodyText).toContain('inserted cell');
  });

  it('are found whatever the case of the stream’s name', async () => {
    expect((await readXls(book, 'WORKBOOK')).bodyText).toContain('pear');
  });

  it('of Excel 5 are read in their code page, and a sheet of Excel 4 without a container', async () => {
    const russian = encoderFor('windows-1251')('Отчёт');
    const old = Buffer.concat([
      record(0x809, u16le(0x500), u16le(5), Buffer.alloc(4)),
      record(0x42, u16le(1251)),
      record(0x85, u32le(0), u16le(0), Buffer.from([russian.length]), russian),
      record(0x204, cell(0), u16le(russian.length), russian),
    ]);
    const { bodyText, metadata } = await readXls(old, 'Book');
    expect([bodyText?.trim(), metadata['sheets']]).toEqual(['Отчёт\nОтчёт', ['Отчёт']]);
    const sheet = Buffer.concat([record(0x409, u16le(4), u16le(16), u16le(0)), record(0x204, cell(0), u16le(4), Buffer.from('plum'))]);
    expect((await legacyOffice.read(samples.source('b.xls', sheet))).bodyText).toBe('plum');
  });
});

it('a workbook of Excel 95 whose sheets state a later version is read as Excel 95', async () => {
  const old = Buffer.concat([
    record(0x809, u16le(0x500), u16le(5), Buffer.alloc(4)),
    record(0x809, u16le(0x600), u16le(16), Buffer.alloc(4)),
    record(0x204, cell(0), u16le(5), Buffer.from('A1:B2')),
  ]);
  expect((await readXls(old, 'Book')).bodyText).toBe('A1:B2');
});

it('the data sheet of a chart object is read', async () => {
  const chart = Buffer.concat([
    record(0x809, u16le(0x580), u16le(0x8000), Buffer.alloc(4)),
    record(0x04, u16le(0), u16le(1), Buffer.alloc(3), Buffer.from([8]), Buffer.from('Daylight')),
    record(0x03, u16le(1), u16le(1), Buffer.alloc(3), double(3.5)),
  ]);
  expect((await readXls(chart, 'Book')).bodyText).toBe('Daylight\n3.5');
});

describe('a file that needs a password', () => {
  const locked: [string, Buffer][] = [
    ['a.docx', makeCompoundFile({ EncryptedPackage: Buffer.alloc(64), EncryptionInfo: Buffer.alloc(8) })],
    [
      'a.xls',
      makeCompoundFile({ Workbook: Buffer.concat([record(0x809, u16le(0x600), Buffer.alloc(14)), record(0x2f, Buffer.alloc(6))]) }),
    ],
    [
      'a.ppt',
      makeCompoundFile({ 'PowerPoint Document': Buffer.alloc(64), 'Current User': Buffer.concat([Buffer.alloc(12), u32le(0xf3d1c4df)]) }),
    ],
    ['a.zip', makeZip([{ name: 'secret.txt', data: 'x', encrypted: true }])],
    [
      'a.odt',
      makeZip([
        { name: 'content.xml', data: 'x' },
        { name: 'META-INF/manifest.xml', data: '<manifest><encryption-data/></manifest>' },
      ]),
    ],
    ['a.epub', makeZip([{ name: 'META-INF/container.xml', data: '<x/>', encrypted: true }])],
  ];
  it.each(locked)('has one fact for it, whatever its format: %s', async (name, bytes) => {
    expect((await extracted(bytes, name))?.metadata).toMatchObject({ encrypted: true });
  });
});

describe('a file whose bytes contradict its name', () => {
  it.each([
    ['a.doc', Buffer.from('{\\rtf1\\ansi rich words}'), 'rtf', 'rich words'],
    ['b.doc', Buffer.from('<html><body>page words</body></html>'), 'html', 'page words'],
    ['c.jpg', Buffer.from('only plain words in here, no picture at all\n'), 'txt', 'only plain words'],
    [
      'd.docx',
      makeCompoundFile({
        Workbook: Buffer.concat([record(0x809, u16le(0x600), Buffer.alloc(14)), record(0x204, cell(0), wide('old cell'))]),
      }),
      'xls',
      'old cell',
    ],
    [
      'i.doc',
      Buffer.from('<?xml version="1.0"?><w:wordDocument xmlns:w="w"><w:p><w:t>flat words</w:t></w:p></w:wordDocument>'),
      'xml',
      'flat words',
    ],
    ['e.txt', pdfPage('pages of words'), 'pdf', 'pages of words'],
    ['f.csv', Buffer.from('{\\rtf1\\ansi rich rows}'), 'rtf', 'rich rows'],
  ])('is read by its bytes and says so: %s', async (name, bytes, type, words) => {
    const found = await extracted(bytes, name);
    expect(found?.metadata['read_as']).toBe(type);
    expect(found?.bodyText).toContain(words);
  });
  it('is drawn by its bytes, too, and a picture says which format it has', async () => {
    const png = await photo().png().toBuffer();
    expect((await extracted(png, 'g.jpg'))?.metadata).toMatchObject({ read_as: 'png', format: 'PNG' });
    expect((await extracted(png, 'g.png'))?.metadata['read_as']).toBeUndefined();
    const exported = await photo().jpeg().toBuffer();
    expect((await extracted(exported, 'g.nef'))?.metadata).toMatchObject({ read_as: 'jpg', format: 'JPEG', camera: expect.any(String) });
  });
  it('is read as text if it only begins like another format', async () => {
    expect((await extracted(Buffer.from('%PDF-1.4 is how a PDF begins\n'), 'h.txt'))?.bodyText).toContain('is how a PDF begins');
  });
  it('keeps its error if the bytes show no other type', async () => {
    await expect(text(makeDocx().subarray(0, 200), 'e.docx')).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

it('headers, footers, comments, diagrams and inserted documents of a Word document are part of its text', async () => {
  const part = (name: string, words: string) => ({ name, data: `<w:x xmlns:w="w"><w:p><w:t>${words}</w:t></w:p></w:x>` });
  const bytes = makeZip([
    part('word/document.xml', 'main'),
    part('word/header1.xml', 'letterhead'),
    part('word/footer2.xml', 'pagefoot'),
    part('word/comments.xml', 'remark'),
    part('word/diagrams/data1.xml', 'diagram'),
    { name: 'word/header3.xml', data: '<broken' },
    { name: 'word/other.html', data: '<p>inserted page</p>' },
    {
      name: 'word/_rels/document.xml.rels',
      data: '<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="/word/other.html"/></Relationships>',
    },
  ]);
  const { bodyText } = (await extracted(bytes, 'a.docx'))!;
  for (const word of ['main', 'letterhead', 'pagefoot', 'remark', 'diagram', 'inserted page']) expect(bodyText).toContain(word);
});

it('page headers of an OpenDocument text are part of its text', async () => {
  const bytes = makeZip([
    { name: 'content.xml', data: '<o:c xmlns:o="o" xmlns:t="t"><o:body><t:p>main</t:p></o:body></o:c>' },
    {
      name: 'styles.xml',
      data: '<o:s xmlns:o="o" xmlns:t="t"><o:style>no</o:style><o:master-page><o:header><t:p>letterhead</t:p></o:header></o:master-page></o:s>',
    },
  ]);
  expect((await openDocument.read(samples.source('a.odt', bytes))).bodyText).toBe('main\nletterhead');
});

describe('numbers of a spreadsheet are found as they are shown, and plainly', () => {
  it.each([
    [1234.5, '#,##0.00', '1,234.50 1234.5'],
    [-1234.5, '#,##0.00;(#,##0.00)', '(1,234.50) -1234.5'],
    [0.256, '0.0%', '25.6% 0.256'],
    [12, '"No." 000', 'No. 012 12'],
    [1500, '[$€-407] #,##0', '€ 1,500 1500'],
    [2_500_000, '0.0,,"M"', '2.5M 2500000'],
    [12_345, '0.00E+00', '1.23E+04 12345'],
    [36_526, 'dd.mm.yyyy', '01.01.2000 2000-01-01'],
    [36_526.75, 'd-mmm-yy h:mm AM/PM', '1-Jan-00 6:00 PM 2000-01-01 18:00'],
    [0.5, 'hh:mm:ss', '12:00:00'],
    [1.5, '[h]:mm', '36:00'],
    [4_227_200_558, '00000\\-00000', '42272-00558 4227200558'],
    [123_456_789, '000-00-0000', '123-45-6789 123456789'],
    [5_551_234, '(000) 000-0000', '(000) 555-1234 5551234'],
    [-50, '[Red][<=-25]0.0;[Blue][>=25]0.00;0', '-50.0 -50'],
    [51, '[Red][=50]General;[Blue]000', '051 51'],
    [50, '[Red][=50]General;[Blue]000', '50'],
    [1.25, '# ?/?', '1.25'],
    [7, 'General', '7'],
    [1 / 3, undefined, '0.3333333333 0.333333333333333'],
  ])('%d as %s', (value, format, shown) => {
    expect(numberTexts(value, format, false)).toBe(shown);
  });
});

describe('Visio drawings', () => {
  const pointer = (type: number, offset: number, length: number, format: number) =>
    Buffer.concat([u32le(type), u32le(0), u32le(offset), u32le(length), u16le(format)]);
  const chunk = (type: number, content: Buffer, trailer = 0) =>
    Buffer.concat([
      u32le(type),
      u32le(1),
      u32le(trailer),
      u32le(content.length),
      u16le(0),
      Buffer.from([0]),
      content,
      Buffer.alloc(trailer === 0 ? 0 : 12),
    ]);
  const shape = (words: string) => chunk(14, Buffer.concat([Buffer.alloc(8), Buffer.from(`${words}\0`, 'utf16le')]));
  /** Every byte as itself: eight flags, then eight bytes. */
  const packed = (bytes: Buffer) =>
    Buffer.concat(
      Array.from({ length: Math.ceil(bytes.length / 8) }, (_, n) => Buffer.concat([Buffer.from([255]), bytes.subarray(n * 8, n * 8 + 8)])),
    );
  const makeVsd = () => {
    const plain = Buffer.concat([chunk(0x2c, Buffer.alloc(3), 1), shape('Harbour office')]);
    const pressed = packed(shape('Lighthouse Größe'));
    const listAt = 0x80;
    const list = Buffer.concat([
      u32le(4),
      u32le(2),
      u32le(0),
      pointer(1, 0x200, plain.length, 0xd0),
      pointer(1, 0x400, pressed.length, 0xd2),
    ]);
    const bytes = Buffer.alloc(0x800);
    bytes.write('Visio (TM) Drawing\r\n', 'latin1');
    bytes.writeUInt16LE(11, 0x1a);
    pointer(20, listAt, list.length, 0x50).copy(bytes, 0x24);
    list.copy(bytes, listAt);
    plain.copy(bytes, 0x200);
    pressed.copy(bytes, 0x400);
    return bytes;
  };
  it('yield the texts of their shapes, also from compressed streams', async () => {
    const { bodyText } = await legacyOffice.read(samples.source('a.vsd', makeCompoundFile({ VisioDocument: makeVsd() })));
    expect(bodyText).toBe('Harbour office\nLighthouse Größe');
  });
  it('with a list that contains itself end', async () => {
    const bytes = makeVsd();
    pointer(20, 0x80, 60, 0x50).copy(bytes, 0x80 + 12);
    expect((await legacyOffice.read(samples.source('b.vsd', makeCompoundFile({ VisioDocument: bytes })))).bodyText).toBe(
      'Lighthouse Größe',
    );
  });
});

it('Access databases yield tables, columns and values', async () => {
  const bytes = makeAccessDatabase([
    [7, 'Aurora'],
    [8, 'Björn'],
  ]);
  const { metadata, bodyText } = await dataFile.read(samples.source('a.mdb', bytes));
  expect(metadata['database']).toMatchObject({
    format: 'mdb',
    tables: [{ name: 'Moorings', columns: ['Berth', 'Vessel'], rows: 2 }],
    rows: 2,
  });
  expect(bodyText).toBe('Moorings Berth Vessel\n7 Aurora\n8 Björn');
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 4096 * 2);
  expect((await dataFile.read(samples.source('b.mdb', damaged))).metadata['database']).toMatchObject({ format: 'mdb' });
});
