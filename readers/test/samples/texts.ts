import { PDFDocument, StandardFonts } from 'pdf-lib';
import { makeZip } from './archives.ts';
import { type Sample, u16be, u32be } from './sample.ts';

export async function makePdf(pages: readonly string[] = ['The first page', 'The second page'], title = 'Small paper'): Promise<Buffer> {
  const document = await PDFDocument.create();
  const moment = new Date('2020-06-07T08:09:10Z');
  document.setTitle(title);
  document.setAuthor('Ann Example');
  document.setCreationDate(moment);
  document.setModificationDate(moment);
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of pages) {
    const page = document.addPage([595, 842]);
    let y = 780;
    for (const line of text.split('\n')) {
      page.drawText(line, { x: 40, y, font, size: 10 });
      y -= 14;
    }
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Gr\'fc\'dfe}{\author Ann}{\creatim\yr2003\mo4\dy5\hr6\min7}}\pard Hello \b world\b0\par na\u239?ve \{braces\}{\*\hidden not shown}\par}`;
const html =
  '<!doctype html><html lang="en"><head><title>A &amp; B</title><meta name="description" content="about"><style>p{}</style><script>var hidden=1</script></head><body><p>Visible <b>words</b> 1 &lt; 2</p><a href="x">link</a></body></html>';
const notebook = JSON.stringify({
  nbformat: 4,
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python' } },
  cells: [
    { cell_type: 'markdown', source: ['# Trial\n', 'some words'] },
    { cell_type: 'code', source: 'print(1)' },
  ],
});
const fb2 =
  '<?xml version="1.0" encoding="utf-8"?><FictionBook><description><title-info><genre>prose</genre><author><first-name>Ann</first-name><last-name>Example</last-name></author><book-title>Tale</book-title><date value="1999-01-01">1999</date></title-info></description><body><section><p>Once upon a time.</p></section></body></FictionBook>';
const eml =
  'From: Ann Example <ann@example.org>\r\nTo: bob@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nDate: Tue, 2 Mar 2021 10:00:00 +0100\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nSee the invoice.\r\n--x\r\nContent-Type: application/pdf; name="invoice.pdf"\r\nContent-Disposition: attachment; filename="invoice.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--x--\r\n';

export function makeMbox(count: number): Buffer {
  const message = (i: number) =>
    `From ann@example.org Mon Jan  1 00:00:00 2024\nFrom: ann@example.org\nDate: ${new Date(Date.UTC(2020, 0, 1 + (i % 28), 12)).toUTCString()}\nSubject: message ${i}\n\nbody of message ${i}\n>From the start\n\n`;
  return Buffer.from(Array.from({ length: count }, (_, i) => message(i)).join(''));
}

/** A Mobipocket book: a header record with EXTH data and one uncompressed text record. */
function makeMobi(): Buffer {
  const row = (type: number, text: string) => Buffer.concat([u32be(type), u32be(8 + text.length), Buffer.from(text)]);
  const rows = [row(100, 'Ann Example'), row(503, 'Pocket tale'), row(106, '2009-01-01')];
  const exth = Buffer.concat([Buffer.from('EXTH'), u32be(12 + rows.reduce((n, r) => n + r.length, 0)), u32be(rows.length), ...rows]);
  const header = Buffer.alloc(16 + 232);
  u16be(1).copy(header, 0);
  u16be(1).copy(header, 8);
  header.write('MOBI', 16);
  u32be(232).copy(header, 20);
  u32be(65_001).copy(header, 28);
  u32be(0x40).copy(header, 128);
  const text = Buffer.from('<html><body><p>Pocket words.</p></body></html>');
  const first = Buffer.concat([header, exth]);
  const at = 78 + 16 + 2;
  const head = Buffer.alloc(78);
  head.write('Pocket_tale');
  head.write('BOOKMOBI', 60);
  u16be(2).copy(head, 76);
  return Buffer.concat([head, u32be(at), u32be(0), u32be(at + first.length), u32be(1), Buffer.alloc(2), first, text]);
}

const eps =
  '%!PS-Adobe-3.0 EPSF-3.0\n%%Title: (Logo)\n%%For: Ann Example\n%%BoundingBox: 0 0 100 50\n%%Pages: (atend)\n%%EndComments\nshowpage\n%%Trailer\n%%Pages: 1\n%%EOF\n';

/** A DjVu file with one scanned page. */
function djvu(): Buffer {
  const info = Buffer.concat([Buffer.from('INFO'), u32be(10), u16be(600), u16be(800), Buffer.alloc(6)]);
  const form = Buffer.concat([Buffer.from('DJVU'), info]);
  return Buffer.concat([Buffer.from('AT&TFORM'), u32be(form.length), form]);
}

const xps = { 'Documents/1/Pages/1.fpage': '<FixedPage><Glyphs UnicodeString="printed words"/></FixedPage>' };
const visio = { 'visio/pages/page1.xml': '<PageContents><Shapes><Shape><Text>office plan</Text></Shape></Shapes></PageContents>' };
const layers = { 'stack.xml': '<image w="640" h="480" name="Sketch"><stack><layer name="a"/><layer name="b"/></stack></image>' };
const zipOf = (parts: Record<string, string>): Buffer => makeZip(Object.entries(parts).map(([name, data]) => ({ name, data })));

export const textSamples: readonly Sample[] = [
  {
    extractor: 'page-description',
    filename: 'logo.eps',
    build: () => Buffer.from(eps),
    expected: { author: 'Ann Example', width: 100, height: 50, pages: 1 },
    title: 'Logo',
  },
  {
    extractor: 'page-description',
    filename: 'windows.eps',
    build: () => {
      const xmp =
        '<x:xmpmeta><rdf:RDF><rdf:Description xmp:CreateDate="2016-03-11T11:43:56+01:00"><dc:creator><rdf:Seq><rdf:li>Bea</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>';
      const script = Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 60 40\n%%Title: Sign\n%%EndComments\n${xmp}\n%%EOF\n`);
      const head = Buffer.alloc(30);
      head.writeUInt32BE(0xc5d0d3c6, 0);
      head.writeUInt32LE(70_000, 4);
      head.writeUInt32LE(script.length, 8);
      // The preview comes first and is longer than the part in which comments are looked for.
      return Buffer.concat([head, Buffer.alloc(70_000 - 30), script]);
    },
    expected: { author: 'Bea', created: '2016-03-11T11:43:56+01:00', width: 60, height: 40 },
    title: 'Sign',
  },
  { extractor: 'page-description', filename: 'scan.djvu', build: djvu, expected: { pages: 1, width: 600, height: 800 } },
  { extractor: 'page-description', filename: 'print.xps', build: () => zipOf(xps), expected: { pages: 1 }, word: 'printed' },
  {
    extractor: 'page-description',
    filename: 'art.ai',
    build: () => makePdf(['artboard'], 'Art'),
    expected: { pages: 1 },
    title: 'Art',
    word: 'artboard',
  },
  {
    extractor: 'layered-drawing',
    filename: 'plan.vsdx',
    build: () => zipOf(visio),
    expected: { pages: 1, format: 'Visio' },
    word: 'office',
  },
  {
    extractor: 'layered-drawing',
    filename: 'sketch.ora',
    build: () => zipOf(layers),
    expected: { layers: 2, width: 640, height: 480 },
    title: 'Sketch',
  },
  {
    extractor: 'pdf',
    filename: 'paper.pdf',
    build: () => makePdf(),
    expected: { pages: 2, author: 'Ann Example', created: '2020-06-07T08:09:10.000Z', encrypted: false },
    title: 'Small paper',
    word: 'second',
  },
  {
    extractor: 'text',
    filename: 'notes.md',
    build: () => Buffer.from('# Shopping\n\nmilk and bread\n'),
    expected: { encoding: 'us-ascii', lines: 3, word_count: 4 },
    title: 'Shopping',
    word: 'bread',
  },
  {
    extractor: 'text',
    filename: 'latin.txt',
    build: () => Buffer.from('Gr\xfc\xdfe aus K\xf6ln', 'latin1'),
    expected: { encoding: 'windows-1252' },
    word: 'Grüße',
  },
  {
    extractor: 'text',
    filename: 'wide.txt',
    build: () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('schöne Grüße', 'utf16le')]),
    expected: { encoding: 'utf-16le' },
    word: 'Grüße',
  },
  {
    extractor: 'rtf',
    filename: 'note.rtf',
    build: () => Buffer.from(rtf, 'latin1'),
    expected: { author: 'Ann', created: '2003-04-05T06:07:00.000Z' },
    title: 'Grüße',
    word: 'naïve {braces}',
  },
  {
    extractor: 'html',
    filename: 'page.html',
    build: () => Buffer.from(html),
    expected: { language: 'en', description: 'about', links: 1 },
    title: 'A & B',
    word: 'words 1 < 2',
  },
  {
    extractor: 'source-code',
    filename: 'tool.py',
    build: () => Buffer.from('#!/usr/bin/env python3\n# says hello\n\nprint("hello")\n'),
    expected: { language: 'Python', lines: 4, code_lines: 1, comment_lines: 2, blank_lines: 1, shebang: '/usr/bin/env python3' },
    word: 'hello',
  },
  {
    extractor: 'source-code',
    filename: 'data.json',
    build: () => Buffer.from('{"name":"value"}\n'),
    expected: { language: 'JSON' },
    word: 'value',
  },
  {
    extractor: 'notebook',
    filename: 'trial.ipynb',
    build: () => Buffer.from(notebook),
    expected: { cells: 2, code_cells: 1, language: 'python' },
    title: 'Trial',
    word: 'print(1)',
  },
  {
    extractor: 'csv',
    filename: 'list.csv',
    build: () => Buffer.from('name;note\r\nAnn;"a;b"\r\nBob;"two\nlines"\r\n'),
    expected: { columns: ['name', 'note'], column_count: 2, rows: 2, delimiter: ';' },
    word: 'lines',
  },
  { extractor: 'csv', filename: 'list.tsv', build: () => Buffer.from('a\tb\n1\t2\n'), expected: { rows: 1, delimiter: 'tab' }, word: '2' },
  {
    extractor: 'fb2',
    filename: 'tale.fb2',
    build: () => Buffer.from(fb2),
    expected: { author: 'Ann Example', year: 1999, genre: 'prose' },
    title: 'Tale',
    word: 'Once',
  },
  {
    extractor: 'mobi',
    filename: 'tale.mobi',
    build: makeMobi,
    expected: { author: 'Ann Example', year: 2009 },
    title: 'Pocket tale',
    word: 'Pocket words',
  },
  {
    extractor: 'email',
    filename: 'mail.eml',
    build: () => Buffer.from(eml),
    expected: {
      email_from: 'Ann Example <ann@example.org>',
      email_to: 'bob@example.org',
      email_date: '2021-03-02T09:00:00.000Z',
      attachment_count: 1,
      attachments: [{ name: 'invoice.pdf', type: 'application/pdf', size: 5 }],
    },
    title: 'Grüße',
    word: 'invoice',
  },
  {
    extractor: 'mailbox',
    filename: 'box.mbox',
    build: () => makeMbox(3),
    expected: {
      mailbox: { message_count: 3, first_date: '2020-01-01T12:00:00.000Z', last_date: '2020-01-03T12:00:00.000Z', truncated: false },
    },
    word: 'message 2',
  },
];
