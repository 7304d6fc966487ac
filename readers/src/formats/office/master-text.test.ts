import { afterAll, expect, it } from 'vitest';
import { makeZip } from '../../../test/samples/archives.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { openDocument } from './odf.ts';
import { presentation } from './pptx.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const master =
  '<style:master-page><draw:frame><text:p>Harbour board</text:p><text:p><text:page-number>&lt;number&gt;</text:page-number></text:p></draw:frame></style:master-page>';
const namespaces = 'xmlns:office="o" xmlns:style="s" xmlns:draw="d" xmlns:text="t"';

it('what a master slide shows on every slide is text, but not the fields of OpenDocument slides', async () => {
  const zipped = makeZip([
    {
      name: 'content.xml',
      data: `<office:document-content ${namespaces}><office:body><draw:page><text:p>First</text:p></draw:page></office:body></office:document-content>`,
    },
    { name: 'styles.xml', data: `<office:document-styles ${namespaces}>${master}</office:document-styles>` },
  ]);
  expect((await openDocument.read(samples.source('a.odp', zipped))).bodyText).toBe('First\nHarbour board');
  const flat = `<office:document ${namespaces}>${master}<office:body><draw:page><text:p>First</text:p></draw:page></office:body></office:document>`;
  expect((await openDocument.read(samples.source('a.fodp', flat))).bodyText).toBe('Harbour board\nFirst');
});

it('a formula of OpenDocument yields its source', async () => {
  const formula = '<math xmlns="m"><semantics><mrow><mi>x</mi></mrow><annotation>x = 42 anchors</annotation></semantics></math>';
  const bytes = makeZip([{ name: 'content.xml', data: formula }]);
  expect((await openDocument.read(samples.source('a.odf', bytes))).bodyText).toBe('x = 42 anchors');
});

it('texts of master slides and layouts of PowerPoint are read once, without their placeholders', async () => {
  const shape = (text: string, placeholder = '') =>
    `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const part = (name: string, shapes: string) => ({ name, data: `<p:sld xmlns:p="p" xmlns:a="a">${shapes}</p:sld>` });
  const bytes = makeZip([
    { name: 'ppt/presentation.xml', data: '<p:presentation xmlns:p="p"/>' },
    part('ppt/slides/slide1.xml', shape('First', '<p:ph/>')),
    part('ppt/slideMasters/slideMaster1.xml', shape('Click to edit', '<p:ph/>') + shape('Harbour board')),
    part('ppt/slideLayouts/slideLayout1.xml', shape('Click to edit', '<p:ph/>') + shape('Confidential')),
  ]);
  const { bodyText, metadata } = await presentation.read(samples.source('a.pptx', bytes));
  expect(bodyText?.split(/\s+/).sort().join(' ')).toBe('Confidential First Harbour board');
  expect(metadata).toMatchObject({ slides: 1 });
});
