import { makeZip } from './archives.ts';
import { makeCompoundFile, makePropertySet } from './compound-files.ts';
import { type Sample, u16le, u32le } from './sample.ts';

const core = `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Annual report</dc:title><dc:creator>Ann Example</dc:creator><cp:revision>7</cp:revision><dcterms:created>2021-03-04T05:06:07Z</dcterms:created></cp:coreProperties>`;
const properties = { 'docProps/core.xml': core };
const expected = { author: 'Ann Example', revision: 7, created: '2021-03-04T05:06:07.000Z' };

function zipOf(parts: Record<string, string>): Buffer {
  return makeZip(Object.entries(parts).map(([name, data]) => ({ name, data })));
}

export function makeDocx(paragraphs: readonly string[] = ['Profit rose & costs fell.', 'Second paragraph.']): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</w:t></w:r></w:p>`).join('');
  return zipOf({
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>`,
    ...properties,
  });
}

export function makeXlsx(
  rows: readonly (readonly (string | number)[])[] = [
    ['item', 'price'],
    ['apple', 3],
    ['pear', 4],
  ],
): Buffer {
  const strings: string[] = [];
  const cells = rows.map(
    (row) =>
      `<row>${row.map((cell) => (typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="s"><v>${strings.push(cell) - 1}</v></c>`)).join('')}</row>`,
  );
  return zipOf({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/><sheet name="Empty" sheetId="2" r:id="rId9"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`,
    ...properties,
  });
}

export function makePptx(slides: readonly string[] = ['Welcome everybody', 'Thank you']): Buffer {
  const parts: Record<string, string> = { 'ppt/presentation.xml': '<p:presentation xmlns:p="p"/>', ...properties };
  slides.forEach((text, i) => {
    parts[`ppt/slides/slide${i + 1}.xml`] = `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
  });
  return zipOf(parts);
}

function odf(content: string): Buffer {
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="tb" xmlns:draw="d"><office:body>${content}</office:body></office:document-content>`,
    'meta.xml':
      '<office:document-meta xmlns:office="o" xmlns:dc="dc" xmlns:meta="m"><office:meta><dc:title>Letter</dc:title><meta:initial-creator>Ann Example</meta:initial-creator><meta:document-statistic meta:page-count="2" meta:word-count="3"/></office:meta></office:document-meta>',
  });
}

const book = {
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
  'OEBPS/book.opf':
    '<package xmlns:dc="dc"><metadata><dc:title>The Small Book</dc:title><dc:creator>Ann Example</dc:creator><dc:language>en</dc:language><dc:date>2011-05-01</dc:date><dc:identifier>urn:isbn:9783161484100</dc:identifier></metadata><manifest><item id="c1" href="one%20chapter.xhtml"/><item id="c2" href="two.xhtml"/></manifest><spine><itemref idref="c1"/><itemref idref="c2"/></spine></package>',
  'OEBPS/one chapter.xhtml': '<html><head><title>x</title></head><body><p>It was a dark&nbsp;night.</p></body></html>',
  'OEBPS/two.xhtml': '<html><body><p>Morning came.</p></body></html>',
};

const summary = makePropertySet({ 2: 'Old letter', 4: 'Ann Example', 12: new Date('2001-02-03T04:05:06Z'), 14: 3 });

/** A Word 97 document with one text piece in single-byte characters. */
function makeDoc(text = 'Dear Sir, the old format still speaks.'): Buffer {
  const word = Buffer.alloc(4608);
  u16le(0xa5ec).copy(word, 0);
  u16le(0x0200).copy(word, 10);
  const at = 2048;
  word.write(text, at, 'latin1');
  const pieces = Buffer.concat([u32le(0), u32le(text.length), u16le(0), u32le(0x40000000 | (at * 2)), u16le(0)]);
  const clx = Buffer.concat([Buffer.from([2]), u32le(pieces.length), pieces]);
  u32le(0).copy(word, 0x1a2);
  u32le(clx.length).copy(word, 0x1a6);
  return makeCompoundFile({ WordDocument: word, '1Table': clx, '\u0005SummaryInformation': summary });
}

function makeXls(): Buffer {
  const record = (type: number, body: Buffer) => Buffer.concat([u16le(type), u16le(body.length), body]);
  const texts = ['apples', 'pears'].map((text) => Buffer.concat([u16le(text.length), Buffer.from([0]), Buffer.from(text)]));
  const sheet = Buffer.concat([u32le(0), u16le(0), Buffer.from([6, 0]), Buffer.from('Prices')]);
  const book = Buffer.concat([
    record(0x809, Buffer.alloc(16)),
    record(0x85, sheet),
    record(0xfc, Buffer.concat([u32le(2), u32le(2), ...texts])),
    record(0x0a, Buffer.alloc(0)),
    record(0x809, Buffer.alloc(16)),
    record(0xfd, Buffer.concat([u16le(0), u16le(0), u16le(0), u32le(0)])),
    record(0xfd, Buffer.concat([u16le(0), u16le(1), u16le(0), u32le(1)])),
    record(0x27e, Buffer.concat([u16le(1), u16le(0), u16le(0), u32le((42 << 2) | 2)])),
    record(0x0a, Buffer.alloc(0)),
  ]);
  return makeCompoundFile({ Workbook: book, '\u0005SummaryInformation': summary });
}

function makePpt(): Buffer {
  const text = Buffer.from('Old slides', 'utf16le');
  const document = Buffer.concat([u16le(0x0f), u16le(1000), u32le(text.length + 8), u16le(0), u16le(4000), u32le(text.length), text]);
  return makeCompoundFile({ 'PowerPoint Document': document, '\u0005SummaryInformation': summary });
}

const flat =
  '<office:document xmlns:office="o" xmlns:dc="dc" xmlns:text="t"><office:meta><dc:title>Flat</dc:title></office:meta><office:body><text:p>flat words</text:p></office:body></office:document>';

export const officeSamples: readonly Sample[] = [
  {
    extractor: 'docx',
    filename: 'report.docx',
    build: () => makeDocx(),
    expected: { ...expected, paragraphs: 3, tables: 1 },
    title: 'Annual report',
    word: 'costs',
  },
  {
    extractor: 'xlsx',
    filename: 'prices.xlsx',
    build: () => makeXlsx(),
    expected: { ...expected, sheets: ['Prices', 'Empty'], sheet_count: 2, cells: 6 },
    title: 'Annual report',
    word: 'pear',
  },
  {
    extractor: 'pptx',
    filename: 'talk.pptx',
    build: () => makePptx(),
    expected: { ...expected, slides: 2, pages: 2 },
    title: 'Annual report',
    word: 'everybody',
  },
  {
    extractor: 'odf',
    filename: 'letter.odt',
    build: () => odf('<text:p>Dear <text:span>reader</text:span></text:p>'),
    expected: { author: 'Ann Example', pages: 2, word_count: 3 },
    title: 'Letter',
    word: 'reader',
  },
  {
    extractor: 'odf',
    filename: 'sums.ods',
    build: () =>
      odf(
        '<table:table table:name="May"><table:table-row><table:table-cell><text:p>rent</text:p></table:table-cell></table:table-row></table:table>',
      ),
    expected: { sheets: ['May'], sheet_count: 1 },
    word: 'rent',
  },
  {
    extractor: 'odf',
    filename: 'talk.odp',
    build: () => odf('<draw:page><text:p>hello</text:p></draw:page><draw:page/>'),
    expected: { slides: 2 },
    word: 'hello',
  },
  { extractor: 'odf', filename: 'flat.fodt', build: () => Buffer.from(flat), title: 'Flat', word: 'words' },
  {
    extractor: 'epub',
    filename: 'book.epub',
    build: () => zipOf(book),
    expected: { author: 'Ann Example', year: 2011, chapter_count: 2, isbn: '9783161484100', language: 'en' },
    title: 'The Small Book',
    word: 'Morning',
  },
  {
    extractor: 'legacy-office',
    filename: 'old.doc',
    build: () => makeDoc(),
    expected: { author: 'Ann Example', created: '2001-02-03T04:05:06.000Z', pages: 3 },
    title: 'Old letter',
    word: 'speaks',
  },
  {
    extractor: 'legacy-office',
    filename: 'old.xls',
    build: makeXls,
    expected: { sheets: ['Prices'], sheet_count: 1 },
    title: 'Old letter',
    word: 'pears',
  },
  { extractor: 'legacy-office', filename: 'old.ppt', build: makePpt, title: 'Old letter', word: 'slides' },
];
