/** Drawings in zip packages: OpenRaster and Krita (layers and size), Visio (pages and text). */

import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { readXmlChunks } from '../input/xml.ts';
import type { Zip } from '../input/zip.ts';
import { officeKeys, openOfficePackage, readOfficeProperties } from './office/package.ts';

export const layeredDrawing: Extractor = {
  name: 'layered-drawing',
  version: 1,
  text: true,
  extensions: ['ora', 'kra', 'vsdx', 'vsdm', 'vssx', 'vstx', 'vssm', 'vstm'],
  tools: [],
  keys: [...officeKeys, 'width', 'height', 'layers', 'format', 'pages'],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

async function read(zip: Zip, source: Source): Promise<Extracted> {
  const raster = zip.find('stack.xml') ?? zip.find('maindoc.xml');
  if (raster !== undefined) return readLayers(zip, raster.name === 'stack.xml' ? 'OpenRaster' : 'Krita', raster.name);
  const pages = zip.entries.filter((entry) => /^visio\/pages\/page\d+\.xml$/.test(entry.name));
  if (pages.length === 0) throw new ExtractError('corrupt', 'The drawing has no pages.');
  const { metadata, title } = readOfficeProperties(zip, []);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  for (const page of pages) {
    let inText = 0;
    await readXmlChunks(zip.stream(page), {
      open(name) {
        if (name === 'Text') inText += 1;
      },
      close(name) {
        if (name !== 'Text') return;
        inText -= 1;
        body.break();
      },
      text(text) {
        if (inText > 0) body.add(text);
      },
    });
    if (body.full()) {
      body.markTruncated();
      break;
    }
  }
  return { metadata: { ...metadata, format: 'Visio', pages: pages.length }, ...(title !== undefined && { title }), ...body.result() };
}

async function readLayers(zip: Zip, format: string, part: string): Promise<Extracted> {
  const entry = zip.find(part);
  let layers = 0;
  let size: { width?: number; height?: number } = {};
  let title: string | undefined;
  if (entry !== undefined) {
    await readXmlChunks(zip.stream(entry), {
      open(name, attributes) {
        if (name === 'layer') layers += 1;
        if (name !== 'image' && name !== 'IMAGE') return;
        size = {
          width: Number(attributes['w'] ?? attributes['width']) || undefined,
          height: Number(attributes['h'] ?? attributes['height']) || undefined,
        };
        title = attributes['name'];
      },
    });
  }
  return { metadata: { format, layers, ...size, title }, ...(title !== undefined && title !== '' && { title }) };
}
