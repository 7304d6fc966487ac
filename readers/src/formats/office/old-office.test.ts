import { afterAll, describe, expect, it } from 'vitest';
import { makeZip } from '../../../test/samples/archives.ts';
import { makeCompoundFile } from '../../../test/samples/compound-files.ts';
import { encoderFor } from '../../../test/samples/languages.ts';
import { makeDocx } from '../../../test/samples/office.ts';
import { u16le, u32le } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import extract from '../../tasks/extract-task.ts';
import { legacyOffice } from './legacy-office.ts';
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
    record(0x1b6, Buffer.alloc(18)),
    record(0x3c, Buffer.from([0]), Buffer.from('a remark')),
  ]);

  it('yield numbers, dates, results of formulas and comments beside texts', async () => {
    const { bodyText } = await readXls(book);
    for (const word of ['pear', '1234.5', '2000-01-01', '77', '12.5', '88.25', 'result of a formula', 'a remark'])
      expect(bodyText).toContain(word);
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

it('a Word 6 document is read in the code page of its language', async () => {
  const words = encoderFor('windows-1251')('Старый документ');
  const word = Buffer.alloc(1024);
  u16le(0xa5dc).copy(word, 0);
  u16le(104).copy(word, 2);
  u16le(0x419).copy(word, 6);
  u32le(768).copy(word, 0x18);
  u32le(768 + words.length).copy(word, 0x1c);
  words.copy(word, 768);
  expect((await legacyOffice.read(samples.source('a.doc', makeCompoundFile({ WordDocument: word })))).bodyText).toBe('Старый документ');
});

it('a Word document of a Macintosh is read in its charset, and one of Word 2 without a container', async () => {
  const document = (magic: number, charset: number, words: Buffer) => {
    const word = Buffer.alloc(1024);
    u16le(magic).copy(word, 0);
    u16le(0x409).copy(word, 6);
    u16le(charset).copy(word, 0x14);
    u32le(768).copy(word, 0x18);
    u32le(768 + words.length).copy(word, 0x1c);
    words.copy(word, 768);
    return word;
  };
  const mac = document(0xa5dc, 0x100, Buffer.from('r\x8esum\x8e', 'latin1'));
  expect((await legacyOffice.read(samples.source('mac.doc', makeCompoundFile({ WordDocument: mac })))).bodyText).toBe('résumé');
  const second = document(0xa5db, 0, Buffer.from('written in 1992'));
  expect((await legacyOffice.read(samples.source('second.doc', second))).bodyText).toBe('written in 1992');
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
  ])('is read by its bytes and says so: %s', async (name, bytes, type, words) => {
    const found = await extracted(bytes, name);
    expect(found?.metadata['read_as']).toBe(type);
    expect(found?.bodyText).toContain(words);
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
    { name: 'word/afchunk1.html', data: '<p>inserted page</p>' },
  ]);
  const { bodyText } = (await extracted(bytes, 'a.docx'))!;
  for (const word of ['main', 'letterhead', 'pagefoot', 'remark', 'diagram', 'inserted page']) expect(bodyText).toContain(word);
});

it('page headers of an OpenDocument text are part of its text', async () => {
  const bytes = makeZip([
    { name: 'content.xml', data: '<o:c xmlns:o="o" xmlns:t="t"><o:body><t:p>main</t:p></o:body></o:c>' },
    { name: 'styles.xml', data: '<o:s xmlns:o="o" xmlns:t="t"><o:style>no</o:style><o:header><t:p>letterhead</t:p></o:header></o:s>' },
  ]);
  expect((await openDocument.read(samples.source('a.odt', bytes))).bodyText).toBe('main\nletterhead');
});
