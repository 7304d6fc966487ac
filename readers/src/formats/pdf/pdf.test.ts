import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { makePdf } from '../../../test/samples/texts.ts';
import { joinBrokenWords } from './hyphens.ts';
import { pdf } from './pdf.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const read = async (bytes: Buffer) => pdf.read(samples.source('a.pdf', bytes));

describe('words broken at the end of a line', () => {
  it('are joined if the document has the whole word elsewhere', () => {
    expect(joinBrokenWords('an example of an exam\ufffeple')).toBe('an example of an example');
    expect(joinBrokenWords('an example of an exam-\nple')).toBe('an example of an example');
  });
  it('keep a hyphen that the document has elsewhere, and are found joined, too', () => {
    expect(joinBrokenWords('a well-known fact, well\ufffeknown')).toBe('a well-known fact, well-known\n\nwellknown');
  });
  it('are found in both forms if the document does not say which is right, on the page they are on', () => {
    expect(joinBrokenWords('a light\ufffehouse\fnext page')).toBe('a lighthouse\n\nlight-house\fnext page');
    expect(joinBrokenWords('Stress-\nEngineered')).toBe('Stress-Engineered\n\nStressEngineered');
  });
  it('leave other hyphens and dashes as they are', () => {
    expect(joinBrokenWords('1 -\n2 and a-b')).toBe('1 -\n2 and a-b');
  });
  it('find their document: no mark of pdfium stays in the text', async () => {
    const { bodyText } = await read(await makePdf(['The keeper of the light-\nhouse went home.']));
    expect(bodyText).toContain('lighthouse');
    expect(bodyText).toContain('light-house');
    expect(bodyText).not.toContain('\ufffe');
  });
});

it('values and options of form fields and the text of annotations are part of the text', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const form = document.getForm();
  const name = form.createTextField('person.name');
  name.setText('Gwendolyn');
  name.addToPage(page, { x: 10, y: 10, width: 100, height: 20 });
  const choice = form.createDropdown('colour');
  choice.addOptions(['crimson', 'turquoise']);
  choice.select('turquoise');
  choice.addToPage(page, { x: 10, y: 50, width: 100, height: 20 });
  const note = document.context.obj({
    Type: 'Annot',
    Subtype: 'Text',
    Rect: [10, 100, 30, 120],
    Contents: PDFString.of('check the mooring'),
  });
  page.node.addAnnot(document.context.register(note));
  page.node.set(PDFName.of('Rotate'), document.context.obj(0));
  const { bodyText, metadata } = await read(Buffer.from(await document.save()));
  for (const word of ['Gwendolyn', 'crimson', 'turquoise', 'check the mooring']) expect(bodyText).toContain(word);
  expect(metadata).toMatchObject({ form_fields: 2, annotations: 1, encrypted: false });
});

it('what is drawn by buttons, signatures and stamps is part of the text', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  page.drawText('Contract', { x: 20, y: 250 });
  document.getForm().createButton('send').addToPage('Send now', page, { x: 10, y: 10, width: 100, height: 20 });
  const font = document.context.register(document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }));
  const look = document.context.stream('BT /F1 12 Tf 5 5 Td (Signed by Ann) Tj ET', {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 100, 20],
    Resources: { Font: { F1: font } },
  });
  const stamp = { Type: 'Annot', Subtype: 'Stamp', Rect: [10, 100, 110, 120], AP: { N: document.context.register(look) } };
  page.node.addAnnot(document.context.register(document.context.obj(stamp)));
  const { bodyText } = await read(Buffer.from(await document.save()));
  for (const words of ['Contract', 'Send now', 'Signed by Ann']) expect(bodyText).toContain(words);
});
