import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openSampleFolder } from '../../test/samples/source.ts';
import { readPdfWords } from './pdf.ts';
import { renderTiers } from './thumbnails.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

/** A PDF of one page of 200 by 100 points. Objects from 5 on are passed by the test. */
function makePage(content: string, page = '', objects: string[] = [], catalog = ''): string {
  const own = [
    `1 0 obj<</Type/Catalog/Pages 2 0 R${catalog}>>endobj`,
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R${page}>>endobj`,
    `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
  ];
  return `%PDF-1.5\n${[...own, ...objects].join('\n')}\ntrailer<</Root 1 0 R>>\n`;
}

async function pixelsOf(name: string, pdf: string) {
  const tiers = await renderTiers(samples.source(name, pdf), { gridPx: 200, previewPx: 400 });
  const { data, info } = await sharp(tiers!.preview).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let dark = 0;
  for (let i = 0; i < data.length; i += 3) if (data[i]! + data[i + 1]! + data[i + 2]! < 380) dark += 1;
  return { data, dark, width: info.width };
}

describe('a page of a PDF', () => {
  it('is drawn in its own colours', async () => {
    const { data } = await pixelsOf('red.pdf', makePage('1 0 0 rg 0 0 200 100 re f'));
    expect(data[0]).toBeGreaterThan(230);
    expect(data[2]).toBeLessThan(30);
  });

  it('shows the values of form fields that have no appearance of their own, and annotations', async () => {
    const field = (value: string) =>
      makePage(
        '',
        '/Annots[5 0 R]',
        [
          `5 0 obj<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(${value})/Rect[10 30 190 70]/DA(/Helv 24 Tf 0 g)/P 3 0 R/F 4>>endobj`,
          '6 0 obj<</Fields[5 0 R]/NeedAppearances true/DA(/Helv 24 Tf 0 g)/DR<</Font<</Helv 7 0 R>>>>>>endobj',
          '7 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
        ],
        '/AcroForm 6 0 R',
      );
    const [filled, empty] = [await pixelsOf('form.pdf', field('Ada Lovelace')), await pixelsOf('empty-form.pdf', field(''))];
    expect(filled.dark).toBeGreaterThan(empty.dark + 300);
    const square = '5 0 obj<</Type/Annot/Subtype/Square/Rect[20 20 80 80]/C[0 0 0]/IC[0 0 0]/F 4>>endobj';
    expect((await pixelsOf('note.pdf', makePage('', '/Annots[5 0 R]', [square]))).dark).toBeGreaterThan(5000);
  });

  it.each([
    ['Japanese', 'Adobe', 'Japan1', 'UniJIS-UCS2-H', '65e5672c8a9e'],
    ['Chinese', 'Adobe', 'GB1', 'UniGB-UCS2-H', '4e2d65876587'],
    ['Korean', 'Adobe', 'Korea1', 'UniKS-UCS2-H', 'd55cad6dc5b4'],
  ])('shows %s text whose font is not embedded', async (language, registry, ordering, encoding, text) => {
    const objects = [
      `5 0 obj<</Type/Font/Subtype/Type0/BaseFont/Unknown/Encoding/${encoding}/DescendantFonts[6 0 R]>>endobj`,
      `6 0 obj<</Type/Font/Subtype/CIDFontType0/BaseFont/Unknown/CIDSystemInfo<</Registry(${registry})/Ordering(${ordering})/Supplement 2>>/DW 1000/FontDescriptor 7 0 R>>endobj`,
      '7 0 obj<</Type/FontDescriptor/FontName/Unknown/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80/CapHeight 700>>endobj',
    ];
    const drawn = await pixelsOf(
      `${language}.pdf`,
      makePage(`BT /F 40 Tf 20 30 Td <${text}> Tj ET`, '/Resources<</Font<</F 5 0 R>>>>', objects),
    );
    expect(drawn.dark).toBeGreaterThan(1000);
  });

  it('has its words with boxes from the top left', async () => {
    const objects = ['5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj'];
    const pdf = makePage('BT /F 20 Tf 20 70 Td (Hello world) Tj ET', '/Resources<</Font<</F 5 0 R>>>>', objects);
    const words = await readPdfWords(samples.source('words.pdf', pdf), 0);
    expect(words?.map(({ text }) => text)).toEqual(['Hello', 'world']);
    expect(words?.[0]?.x).toBeCloseTo(0.1, 1);
    expect(words?.[0]?.y).toBeLessThan(0.3);
    expect(await readPdfWords(samples.source('words.pdf', pdf), 5)).toBeNull();
  });
});
