import type { Extracted, Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys } from '../archive/listing.ts';
import { boundedText } from '../text-head.ts';
import { openComicArchive, pagesInOrder } from './comic-archive.ts';
import { type ComicInfo, comicInfoKeys, readComicInfo } from './comic-info.ts';

const maxInfoBytes = 1024 * 1024;

/** Comics: an archive of pages, described by ComicInfo.xml where someone wrote one. */
export const comic: Extractor = {
  name: 'comic',
  version: 1,
  extensions: ['cbz', 'cbr', 'cb7', 'cbt', 'cba', 'cbw'],
  tools: [],
  keys: ['pages', 'comic', ...comicInfoKeys, 'author', 'genre', ...archiveKeys],
  read: (source) =>
    withFileBytes(source, async (file): Promise<Extracted> => {
      const archive = await openComicArchive(file, source);
      const pages = pagesInOrder(archive.names).length;
      const infoName = archive.names.find((name) => /(^|\/)comicinfo\.xml$/i.test(name));
      const info = infoName === undefined ? {} : readComicInfo((await archive.read(infoName, maxInfoBytes)).toString('utf8'));
      const listed = archive.listing.finish(archive.format);
      const described = Object.keys(info).length > 0;
      return {
        ...listed,
        metadata: {
          ...listed.metadata,
          pages,
          ...(described ? { comic: info } : {}),
          ...(info['writer'] ? { author: info['writer'] } : {}),
          ...(info['genre'] ? { genre: info['genre'] } : {}),
        },
        ...titleOf(info),
        ...(typeof info['year'] === 'number' ? { year: info['year'] } : {}),
        ...boundedText(String(info['summary'] ?? ''), source.limits.bodyTextMaxChars),
      };
    }),
};

function titleOf(info: ComicInfo): { title?: string } {
  const series = info['series'];
  const issue = series === undefined ? undefined : [series, info['number'] === undefined ? '' : `#${info['number']}`].join(' ').trim();
  const parts = [issue, info['title']].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? {} : { title: parts.join(': ') };
}
