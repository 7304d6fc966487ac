import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { openComicArchive, pagesInOrder } from '../formats/comic.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { epubCover, fictionBookCover } from './book-cover.ts';
import { kindleCover } from './kindle-cover.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

const maxCoverBytes = 64 * 1024 * 1024;

/** Decodes a cover; a damaged cover is no reason to call the whole file damaged. */
async function drawCover(bytes: Buffer | null, longestEdge: number): Promise<RenderedImage | null> {
  if (bytes === null || bytes.length === 0) return null;
  try {
    return await decodeToEdge(bytes, longestEdge);
  } catch (error) {
    if (error instanceof ExtractError && error.kind === 'guard') throw error;
    return null;
  }
}

/** Covers inside music files: the front one when several are there. */
export const audioThumbnails: Thumbnailer = {
  name: 'audio-cover',
  version: 1,
  extensions: [
    ...[
      'mp3',
      'mp2',
      'm4a',
      'm4b',
      'm4r',
      'aac',
      'flac',
      'ogg',
      'oga',
      'opus',
      'spx',
      'wma',
      'wav',
      'wave',
      'aif',
      'aiff',
      'aifc',
      'ape',
      'mpc',
    ],
    ...['wv', 'dsf', 'dff', 'mka', 'tta', 'weba', 'bwf', 'caf', 'alac'],
  ],
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

const kindle = ['mobi', 'azw', 'azw3', 'azw4', 'prc', 'kf8'];
const fictionBook = ['fb2', 'fb2z', 'fbz'];

/** Covers of e-books. */
export const bookThumbnails: Thumbnailer = {
  name: 'book-cover',
  version: 1,
  extensions: ['epub', 'kepub', 'ibooks', ...fictionBook, ...kindle],
  tools: [],
  async render(source, longestEdge) {
    if (kindle.includes(source.extension)) return drawCover(await kindleCover(source), longestEdge);
    return drawCover(fictionBook.includes(source.extension) ? await fictionBookCover(source) : await epubCover(source), longestEdge);
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
      // A page of another kind than the rest (a scan in a rare format) must not hide the comic.
      for (const page of pagesInOrder(archive.names).slice(0, 3)) {
        const drawn = await drawCover(await archive.read(page, maxCoverBytes), longestEdge);
        if (drawn) return drawn;
      }
      return null;
    }),
};
