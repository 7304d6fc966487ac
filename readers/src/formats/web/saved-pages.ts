import { gunzipSync } from 'node:zlib';
import { createBodyText } from '../../body-text.ts';
import { type EmbeddedFile, ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { readWholeFile, withFileBytes } from '../../input/file-bytes.ts';
import { openZip } from '../../input/zip.ts';
import { type PlistValue, readBinaryPlist } from '../binary-plist.ts';
import { readWarc, type WarcPages } from './warc.ts';

/** Web pages saved with what belongs to them: Safari's web archives, and WARC and WACZ of crawlers. */
export const savedPages: Extractor = {
  name: 'saved-pages',
  version: 1,
  text: true,
  extensions: ['webarchive', 'warc', 'wacz'],
  tools: [],
  keys: ['title', 'saved', 'saved.format', 'saved.url', 'saved.records', 'saved.pages', 'saved.first_date', 'saved.software', 'saved.urls'],
  read: (source) => (source.extension === 'webarchive' ? readWebArchive(source) : readCrawl(source)),
};

/** The main page and its frames are read as HTML by the reader of web pages. */
async function readWebArchive(source: Source): Promise<Extracted> {
  const plist = readBinaryPlist(readWholeFile(source, source.limits.documentMaxBytes));
  const entry = (of: PlistValue | undefined, key: string): PlistValue | undefined => (of instanceof Map ? of.get(key) : undefined);
  const main = entry(plist, 'WebMainResource');
  if (main === undefined) throw new ExtractError('corrupt', 'The web archive has no page.');
  const embedded: EmbeddedFile[] = [];
  const frames = entry(plist, 'WebSubframeArchives');
  const pages = [main, ...(Array.isArray(frames) ? frames.map((frame) => entry(frame, 'WebMainResource')) : [])];
  for (const page of pages) {
    const data = entry(page, 'WebResourceData');
    const type = entry(page, 'WebResourceMIMEType');
    if (Buffer.isBuffer(data)) embedded.push({ filename: type === 'text/plain' ? 'page.txt' : 'page.html', content: data });
  }
  const html = embedded[0]?.content.toString('utf8', 0, 65_536) ?? '';
  const title = /<title[^>]*>([^<]{1,500})</i.exec(html)?.[1]?.trim();
  const url = entry(main, 'WebResourceURL');
  return { metadata: { title, saved: { format: 'webarchive', url, pages: embedded.length } }, ...(title && { title }), embedded };
}

const unpackedMax = 256 * 1024 * 1024;

function readCrawl(source: Source): Promise<Extracted> {
  return withFileBytes(source, (file) => {
    const body = createBodyText(source.limits.bodyTextMaxChars);
    const pages: WarcPages = { records: 0, urls: [] };
    const head = file.read(0, 2);
    if (head.toString('latin1') === 'PK') {
      const zip = openZip(file, source.limits);
      const archives = zip.entries.filter(({ name }) => /\.warc(\.gz)?$/i.test(name)).slice(0, 100);
      for (const archive of archives) readWarc(unpack(zip.read(archive, unpackedMax)), body, pages);
    } else readWarc(unpack(readWholeFile(source, source.limits.documentMaxBytes)), body, pages);
    if (pages.records === 0) throw new ExtractError('corrupt', 'The archive has no records.');
    const { records, urls, firstDate, software, title } = pages;
    const saved = { format: head.toString('latin1') === 'PK' ? 'wacz' : 'warc', records, pages: urls.length, urls: urls.slice(0, 200) };
    return {
      metadata: { title, saved: { ...saved, url: urls[0], first_date: firstDate, software } },
      ...(title && { title }),
      ...body.result(),
    };
  });
}

function unpack(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: unpackedMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ExtractError('guard', `The archive unpacks to more than ${unpackedMax} bytes.`);
    throw new ExtractError('corrupt', 'The archive is damaged.');
  }
}
