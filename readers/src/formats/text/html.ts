/** Web pages and XML documents: title and visible text. */

import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { htmlToText } from './html-text.ts';
import { countLines, readTextFile } from './text-file.ts';

const READ_MAX = 16 * 1024 * 1024;

const xmlExtensions = new Set(
  'xml dtd rng sgml xaml abw uof uot uos uop opf ncx acbf xdp xfdf drawio dia xsl xslt xsd rss atom rdf tmx xlf inx kml gpx'.split(' '),
);

export const webPage: Extractor = {
  name: 'html',
  version: 3,
  text: true,
  extensions: [
    'html htm xhtml xht shtml xml dtd jade njk nunjucks rng sgml xaml abw uof uot uos uop opf ncx acbf xdp xfdf',
    'drawio dia xsl xslt xsd rss atom rdf tmx xlf inx kml gpx vue svelte jsp asp aspx hta',
  ].flatMap((line) => line.split(' ')),
  tools: [],
  keys: ['title', 'description', 'language', 'encoding', 'lines', 'word_count', 'links', 'images', 'root_element'],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const file = readTextFile(source, READ_MAX, { markup: true });
  if (file === null) throw new ExtractError('corrupt', 'The file is not text.');
  const root = /<([A-Za-z][\w:.-]{0,63})[\s>/]/.exec(file.text.slice(0, 8192))?.[1];
  const generic = xmlExtensions.has(source.extension) && root?.toLowerCase() !== 'html';
  const html = htmlToText(file.text, source.limits.bodyTextMaxChars, { generic });
  const body = createBodyText(source.limits.bodyTextMaxChars);
  body.add(html.text);
  if (!file.complete || html.truncated) body.markTruncated();
  const text = body.result();
  return {
    metadata: {
      title: html.title,
      description: html.description,
      language: html.language,
      encoding: file.encoding,
      lines: file.lines ?? countLines(file.text),
      word_count: text.bodyTextTruncated ? undefined : body.words(),
      links: html.links || undefined,
      images: html.images || undefined,
      root_element: root,
    },
    ...(html.title !== undefined && { title: html.title }),
    ...text,
  };
}
