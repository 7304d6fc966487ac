import { afterAll, describe, expect, it } from 'vitest';
import { makeZip } from '../../../test/samples/archives.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { wordDocument } from './docx.ts';
import { presentation } from './pptx.ts';
import { spreadsheet } from './xlsx.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const core = '<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Harbour</dc:title><dc:creator>Ann</dc:creator></cp:coreProperties>';
const styles =
  '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd.mm.yyyy"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/><xf numFmtId="4"/></cellXfs></styleSheet>';
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const book = (parts: Record<string, string>, properties = '') =>
  makeZip(
    Object.entries({
      'xl/workbook.xml': `<workbook>${properties}<sheets><sheet name="One"/><sheet name="Two"/></sheets></workbook>`,
      'xl/styles.xml': styles,
      ...parts,
    }).map(([name, data]) => ({ name, data })),
  );
const readBook = (bytes: Buffer) => spreadsheet.read(samples.source('a.xlsx', bytes));

describe('a spreadsheet', () => {
  it('yields dates and numbers as they are shown, and plainly', async () => {
    const cells =
      '<row><c s="1"><v>36526</v></c><c s="2"><v>0.256</v></c><c s="3"><v>1234.5</v></c><c s="0"><v>7</v></c><c><v>8.5</v></c></row>';
    const long = '<row><c><v>0.30000000000000004</v></c><c t="str" s="1"><v>36526</v></c><c t="d" s="1"><v>2001-02-03</v></c></row>';
    const { bodyText } = await readBook(book({ 'xl/worksheets/sheet1.xml': sheet(cells + long) }));
    expect(bodyText?.split(/[\n\f]/).slice(1, 3)).toEqual([
      '01.01.2000 2000-01-01 25.60% 0.256 1,234.50 1234.5 7 8.5',
      '0.3 36526 2001-02-03',
    ]);
    const mac = book({ 'xl/worksheets/sheet1.xml': sheet('<row><c s="1"><v>0</v></c></row>') }, '<workbookPr date1904="1"/>');
    expect((await readBook(mac)).bodyText).toContain('1904-01-01');
  });

  it('yields comments, text boxes and titles of charts', async () => {
    const { bodyText } = await readBook(
      book({
        'xl/comments1.xml':
          '<comments><authors><author>Ann</author></authors><comment><text><r><t>a remark</t></r></text></comment></comments>',
        'xl/threadedComments/threadedComment1.xml':
          '<ThreadedComments><threadedComment><text>an answer</text></threadedComment></ThreadedComments>',
        'xl/drawings/drawing1.xml': '<xdr:wsDr xmlns:a="a" xmlns:xdr="x"><a:p><a:r><a:t>a box</a:t></a:r></a:p></xdr:wsDr>',
        'xl/charts/chart1.xml': '<c:chart xmlns:a="a" xmlns:c="c"><a:t>a chart</a:t><c:v>99</c:v></c:chart>',
      }),
    );
    for (const words of ['a remark', 'an answer', 'a box', 'a chart']) expect(bodyText).toContain(words);
    expect(bodyText).not.toContain('Ann');
  });

  it('whose one sheet is damaged keeps the other, and what comes before the damage', async () => {
    const read = await readBook(
      book({
        'docProps/core.xml': '<broken',
        'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c><v>41</v></c></row><row></c>',
        'xl/worksheets/sheet2.xml': sheet('<row><c><v>42</v></c></row>'),
      }),
    );
    expect(read).toMatchObject({ bodyText: 'One\n41\fTwo\n42', bodyTextTruncated: true, metadata: { sheet_count: 2 } });
  });
});

describe('a damaged document', () => {
  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const readWord = (parts: Record<string, string>) =>
    wordDocument.read(samples.source('a.docx', makeZip(Object.entries(parts).map(([name, data]) => ({ name, data })))));

  it('keeps its facts and the text before the damage', async () => {
    const cut = `<w:document xmlns:w="w"><w:body>${paragraph('before')}<w:p></w:x>${paragraph('after')}`;
    expect(await readWord({ 'word/document.xml': cut, 'docProps/core.xml': core })).toMatchObject({
      title: 'Harbour',
      metadata: { author: 'Ann' },
      bodyText: 'before',
      bodyTextTruncated: true,
    });
    const whole = `<w:document xmlns:w="w"><w:body>${paragraph('words')}</w:body></w:document>`;
    expect((await readWord({ 'word/document.xml': whole, 'docProps/core.xml': '<broken' })).bodyText).toBe('words');
  });

  it('has the text of a text box once, although it is written twice', async () => {
    const box = paragraph('boxed');
    const text = `<mc:AlternateContent xmlns:mc="m"><mc:Choice><w:drawing>${box}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent>`;
    const read = await readWord({
      'word/document.xml': `<w:document xmlns:w="w"><w:body>${text}${paragraph('after')}</w:body></w:document>`,
    });
    expect(read).toMatchObject({ bodyText: 'boxed\nafter', metadata: { paragraphs: 2, word_count: 2, images: 1 } });
  });

  it('has the text of a text box inside a text box once', async () => {
    const twice = (choice: string, old: string) =>
      `<mc:AlternateContent xmlns:mc="m"><mc:Choice><w:drawing>${choice}</w:drawing></mc:Choice><mc:Fallback><w:pict>${old}</w:pict></mc:Fallback></mc:AlternateContent>`;
    const inner = twice(paragraph('inner'), paragraph('inner'));
    const text = twice(inner + paragraph('outer'), inner + paragraph('outer'));
    const read = await readWord({
      'word/document.xml': `<w:document xmlns:w="w"><w:body>${text}${paragraph('after')}</w:body></w:document>`,
      'word/header1.xml': `<w:hdr xmlns:w="w">${text}${paragraph('header')}</w:hdr>`,
    });
    expect(read).toMatchObject({ bodyText: 'inner\nouter\nafter\ninner\nouter\nheader', metadata: { paragraphs: 3, images: 2 } });
  });

  it('of which nothing can be read is corrupt', async () => {
    await expect(readWord({ 'word/document.xml': '<w:document' })).rejects.toMatchObject({ kind: 'corrupt' });
  });

  it('puts slides in the order in which they are shown, which their file names need not follow', async () => {
    const slide = (text: string) => `<p:sld xmlns:a="a" xmlns:p="p"><a:p><a:t>${text}</a:t></a:p></p:sld>`;
    const relation = (id: string, target: string) => `<Relationship Id="${id}" Type="slide" Target="${target}"/>`;
    const bytes = makeZip([
      {
        name: 'ppt/presentation.xml',
        data:
          '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="rId3" id="256"/><p:sldId id="257" r:id="rId2"/></p:sldIdLst>' +
          '<p:extLst><p14:sldId xmlns:p14="q" id="257"/></p:extLst></p:presentation>',
      },
      {
        name: 'ppt/_rels/presentation.xml.rels',
        data: `<Relationships>${relation('rId2', 'slides/slide1.xml')}${relation('rId3', '/ppt/slides/slide2.xml')}</Relationships>`,
      },
      { name: 'ppt/slides/slide1.xml', data: slide('shown last') },
      { name: 'ppt/slides/slide2.xml', data: slide('shown first') },
      { name: 'ppt/slides/slide3.xml', data: slide('removed') },
    ]);
    expect(await presentation.read(samples.source('a.pptx', bytes))).toMatchObject({
      metadata: { slides: 2, pages: 2 },
      bodyText: 'shown first\fshown last',
    });
  });

  it('reads a slide once, however often it is listed', async () => {
    const bytes = makeZip([
      {
        name: 'ppt/presentation.xml',
        data: `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${'<p:sldId r:id="rId1"/>'.repeat(50)}</p:sldIdLst></p:presentation>`,
      },
      {
        name: 'ppt/_rels/presentation.xml.rels',
        data: '<Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/></Relationships>',
      },
      { name: 'ppt/slides/slide1.xml', data: '<p:sld xmlns:a="a" xmlns:p="p"><a:p><a:t>once</a:t></a:p></p:sld>' },
    ]);
    expect(await presentation.read(samples.source('a.pptx', bytes))).toMatchObject({ metadata: { slides: 1 }, bodyText: 'once' });
  });

  it('keeps the other slides of a presentation', async () => {
    const slide = (text: string) => `<p:sld xmlns:a="a" xmlns:p="p"><a:p><a:t>${text}</a:t></a:p></p:sld>`;
    const bytes = makeZip([
      { name: 'ppt/presentation.xml', data: '<p:presentation/>' },
      { name: 'ppt/slides/slide1.xml', data: '<p:sld' },
      { name: 'ppt/slides/slide2.xml', data: slide('second') },
    ]);
    expect(await presentation.read(samples.source('a.pptx', bytes))).toMatchObject({ bodyText: '\fsecond', bodyTextTruncated: true });
  });
});
