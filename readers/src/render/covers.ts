import { posix } from 'node:path';
import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { openComicArchive, pagesInOrder } from '../formats/comic.ts';
import { readWholeFile, withFileBytes } from '../input/file-bytes.ts';
import { readXml } from '../input/xml.ts';
import { openZip, type Zip } from '../input/zip.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

const maxCoverBytes = 64 * 1024 * 1024;

/** Decodes a cover. A damaged cover yields no thumbnail instead of an error, because the file itself may be intact. */
async function drawCover(bytes: Buffer | null, longestEdge: number): Promise<RenderedImage | null> {
  if (bytes === null || bytes.length === 0) return null;
  try {
    return await decodeToEdge(bytes, longestEdge);
  } catch (error) {
    if (error instanceof ExtractError && error.kind === 'guard') throw error;
    return null;
  }
}

const audioExtensions =
  'mp3 mp2 m4a m4b m4r aac flac ogg oga opus spx wma wav wave aif aiff aifc ape mpc wv dsf dff mka tta weba bwf caf alac';

/** Covers embedded in music files, the front cover first. */
export const audioThumbnails: Thumbnailer = {
  name: 'audio-cover',
  version: 1,
  extensions: audioExtensions.split(' '),
  tools: [],
  render: async (source, longestEdge) => drawCover(await musicCover(source), longestEdge),
};

async function musicCover(source: Source): Promise<Buffer | null> {
  const { parseFile, selectCover } = await import('music-metadata');
  try {
    const { common } = await parseFile(source.path, { duration: false, skipPostHeaders: true });
    const cover = selectCover(common.picture);
    return cover && cover.data.length <= maxCoverBytes ? Buffer.from(cover.data) : null;
  } catch {
    throw new ExtractError('corrupt', 'The audio file is damaged.');
  }
}

const kindleExtensions = ['mobi', 'azw', 'azw3', 'azw4', 'prc', 'kf8'];
const fictionBookExtensions = ['fb2', 'fb2z', 'fbz'];

export const bookThumbnails: Thumbnailer = {
  name: 'book-cover',
  version: 1,
  extensions: ['epub', 'kepub', 'ibooks', ...fictionBookExtensions, ...kindleExtensions],
  tools: [],
  async render(source, longestEdge) {
    if (kindleExtensions.includes(source.extension)) return drawCover(await kindleCover(source), longestEdge);
    return drawCover(
      fictionBookExtensions.includes(source.extension) ? await fictionBookCover(source) : await epubCover(source),
      longestEdge,
    );
  },
};

/** The first page of a comic. */
export const comicThumbnails: Thumbnailer = {
  name: 'comic-page',
  version: 1,
  extensions: ['cbz', 'cbr', 'cb7', 'cbt'],
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, async (file) => {
      const archive = await openComicArchive(file, source);
      // The first page may be in a format that cannot be decoded, so up to three are tried.
      for (const page of pagesInOrder(archive.names).slice(0, 3)) {
        const drawn = await drawCover(await archive.read(page, maxCoverBytes), longestEdge);
        if (drawn) return drawn;
      }
      return null;
    }),
};

const kindleCoverMaxBytes = 32 * 1024 * 1024;

/** The cover of a Kindle or Mobipocket book. Its header holds the number of the first image record and the index of the cover. */
function kindleCover(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const head = file.need(0, 78);
    if (head.toString('latin1', 60, 68) !== 'BOOKMOBI') return null;
    const count = head.readUInt16BE(76);
    const table = file.need(78, count * 8);
    const offset = (index: number): number => (index < count ? table.readUInt32BE(index * 8) : file.size);
    const record = (index: number): Buffer =>
      file.read(offset(index), Math.min(kindleCoverMaxBytes, Math.max(0, offset(index + 1) - offset(index))));
    const first = count > 0 ? record(0) : Buffer.alloc(0);
    if (first.length < 132 || (first.readUInt32BE(128) & 0x40) === 0) return null;
    const cover = readExthNumber(first.subarray(16 + first.readUInt32BE(20)), 201);
    const firstImage = first.readUInt32BE(108);
    if (cover === undefined || firstImage + cover >= count) return null;
    return record(firstImage + cover);
  });
}

/** A numeric record of the EXTH header. */
function readExthNumber(block: Buffer, wanted: number): number | undefined {
  if (block.length < 12 || block.toString('latin1', 0, 4) !== 'EXTH') return undefined;
  const records = Math.min(block.readUInt32BE(8), 500);
  for (let i = 0, at = 12; i < records && at + 12 <= block.length; i++) {
    const length = block.readUInt32BE(at + 4);
    if (length < 8) return undefined;
    if (block.readUInt32BE(at) === wanted && length === 12) return block.readUInt32BE(at + 8);
    at += length;
  }
  return undefined;
}

const maxTextBytes = 8 * 1024 * 1024;
const bookCoverMaxBytes = 64 * 1024 * 1024;

interface ManifestItem {
  href: string;
  type: string;
  properties: string;
}

/** The cover of an EPUB: declared by property, declared by the older meta element, or a picture named cover. */
function epubCover(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const zip = openZip(file, source.limits);
    const container = textOf(zip, 'META-INF/container.xml');
    const packagePath = container === null ? undefined : /full-path="([^"]+)"/.exec(container)?.[1];
    const document = packagePath === undefined ? null : textOf(zip, packagePath);
    const declared = document === null ? null : declaredCover(document, packagePath ?? '');
    const entry =
      (declared === null ? undefined : zip.find(declared)) ??
      zip.entries.find((item) => /(^|\/)cover[^/]*\.(jpe?g|png|webp|gif)$/i.test(item.name));
    return entry === undefined ? null : zip.read(entry, bookCoverMaxBytes);
  });
}

function textOf(zip: Zip, name: string): string | null {
  const entry = zip.find(name);
  return entry === undefined
    ? null
    : zip
        .read(entry, maxTextBytes)
        .toString('utf8')
        .replace(/^\ufeff/, '');
}

function declaredCover(document: string, packagePath: string): string | null {
  const items = new Map<string, ManifestItem>();
  let coverId: string | undefined;
  readXml(document, {
    open(name, attributes) {
      if (name === 'item') {
        items.set(attributes['id'] ?? '', {
          href: attributes['href'] ?? '',
          type: attributes['media-type'] ?? '',
          properties: attributes['properties'] ?? '',
        });
      } else if (name === 'meta' && attributes['name'] === 'cover') coverId = attributes['content'];
    },
  });
  const pictures = [...items.values()].filter((item) => item.type.startsWith('image/'));
  const byId = coverId === undefined ? undefined : items.get(coverId);
  const chosen =
    pictures.find((item) => item.properties.split(/\s+/).includes('cover-image')) ?? (byId?.type.startsWith('image/') ? byId : undefined);
  if (chosen === undefined) return null;
  return posix.join(posix.dirname(packagePath), safeDecode(chosen.href)).replace(/^\/+/, '');
}

function safeDecode(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    // Not percent-encoded correctly: the name is used as it is.
    return href;
  }
}

/** The picture that a FictionBook's cover page refers to, stored in the same file as base64. */
async function fictionBookCover(source: Source): Promise<Buffer | null> {
  const text = await fictionBookText(source);
  if (text === null) return null;
  const id = /<coverpage>[\s\S]{0,500}?href="#([^"]{1,200})"/.exec(text)?.[1];
  if (id === undefined) return null;
  const mark = new RegExp(`<binary[^>]{0,300}\\bid="${id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"[^>]{0,300}>`).exec(text);
  if (mark === null) return null;
  const start = mark.index + mark[0].length;
  const end = text.indexOf('</binary>', start);
  return end === -1 || end - start > bookCoverMaxBytes ? null : Buffer.from(text.slice(start, end), 'base64');
}

async function fictionBookText(source: Source): Promise<string | null> {
  if (source.extension === 'fb2') return readWholeFile(source, source.limits.documentMaxBytes).toString('latin1');
  return withFileBytes(source, (file) => {
    const zip = openZip(file, source.limits);
    const entry = zip.entries.find((item) => /\.fb2$/i.test(item.name));
    return entry === undefined ? null : zip.read(entry).toString('latin1');
  });
}
