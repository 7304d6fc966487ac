import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { readXmlChunks } from '../input/xml.ts';
import type { Zip } from '../input/zip.ts';
import { openOfficePackage } from './office/package.ts';

/** Other documents in zip packages: InDesign's exchange format (IDML), maps (KMZ) and OpenDocument databases (ODB). */
export const packagedDocument: Extractor = {
  name: 'packaged-document',
  version: 1,
  text: true,
  extensions: ['idml', 'kmz', 'odb'],
  tools: [],
  keys: ['title', 'format', 'pages', 'word_count', 'places', 'author', 'description', 'tables', 'queries'],
  read: (source) =>
    withFileBytes(source, (file) => {
      const zip = openOfficePackage(file, source);
      if (source.extension === 'idml') return readIdml(zip, source);
      return source.extension === 'odb' ? readDatabase(zip) : readMap(zip, source);
    }),
};

async function readIdml(zip: Zip, source: Source): Promise<Extracted> {
  const stories = zip.entries.filter(({ name }) => /^Stories\/[^/]+\.xml$/i.test(name));
  if (stories.length === 0) throw new ExtractError('corrupt', 'The document has no stories.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  for (const story of stories) {
    let inside = false;
    await readXmlChunks(zip.stream(story), {
      open(name) {
        inside = name === 'Content';
        if (name === 'Br' || name === 'ParagraphStyleRange') body.break();
      },
      close() {
        inside = false;
      },
      text(text) {
        if (inside) body.add(text);
      },
    });
    body.break('\n\n');
    if (body.full()) {
      body.markTruncated();
      break;
    }
  }
  let pages = 0;
  for (const spread of zip.entries.filter(({ name }) => /^Spreads\/[^/]+\.xml$/i.test(name)).slice(0, 5000))
    await readXmlChunks(zip.stream(spread), {
      open(name) {
        if (name === 'Page') pages += 1;
      },
    });
  return { metadata: { format: 'IDML', pages, word_count: body.words() }, ...body.result() };
}

/** Names and descriptions of places. Descriptions are HTML, of which the text is kept. */
async function readMap(zip: Zip, source: Source): Promise<Extracted> {
  const maps = zip.entries.filter(({ name }) => /\.kml$/i.test(name)).slice(0, 100);
  if (maps.length === 0) throw new ExtractError('corrupt', 'The file contains no map.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const kept = new Set(['name', 'description', 'Snippet', 'address', 'value', 'text', 'author']);
  let places = 0;
  let title: string | undefined;
  for (const map of maps) {
    const path: string[] = [];
    await readXmlChunks(zip.stream(map), {
      open(name) {
        path.push(name);
        if (name === 'Placemark') places += 1;
      },
      close() {
        path.pop();
        body.break();
      },
      text(text) {
        if (!kept.has(path.at(-1) ?? '') || text.trim() === '') return;
        if (path.at(-1) === 'name' && path.at(-2) === 'Document') title ??= text.trim();
        body.add(text.replace(/<[^>]{0,2000}>/g, ' '));
      },
    });
    body.break('\n\n');
  }
  return { metadata: { format: 'KMZ', places, title }, ...(title !== undefined && { title }), ...body.result() };
}

/** Tables live in the packed database, but queries, forms and reports are listed by name. */
async function readDatabase(zip: Zip): Promise<Extracted> {
  const content = zip.find('content.xml');
  if (content === undefined) throw new ExtractError('corrupt', 'The database has no content.');
  const body = createBodyText(100_000);
  const counts = { tables: 0, queries: 0 };
  await readXmlChunks(zip.stream(content), {
    open(name, attributes) {
      if (name === 'query') counts.queries += 1;
      else if (name === 'table-representation') counts.tables += 1;
      for (const key of ['name', 'title', 'command'])
        if (attributes[key] !== undefined && /^(query|component|table-representation|column)/.test(name)) {
          body.add(attributes[key] ?? '');
          body.break();
        }
    },
  });
  return { metadata: { format: 'OpenDocument database', ...counts }, ...body.result() };
}
