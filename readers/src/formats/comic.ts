import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { readXml } from '../input/xml.ts';
import { openZip } from '../input/zip.ts';
import { type ArchiveMember, archiveKeys, createMemberList, guardRatio, type MemberList } from './archive/member-list.ts';
import { createSltParser, listLines, sevenZipError, stopReading, unpackMembers } from './archive/seven-zip.ts';
import { walkTarFile } from './archive/tar.ts';
import { boundedText } from './result.ts';

const maxInfoBytes = 1024 * 1024;

/** Elements of ComicInfo.xml and the metadata keys they map to. */
const infoFields: Record<string, string> = {
  Title: 'title',
  Series: 'series',
  Number: 'number',
  Volume: 'volume',
  Count: 'count',
  StoryArc: 'story_arc',
  Publisher: 'publisher',
  Imprint: 'imprint',
  Writer: 'writer',
  Penciller: 'penciller',
  Inker: 'inker',
  Colorist: 'colorist',
  Letterer: 'letterer',
  CoverArtist: 'cover_artist',
  Editor: 'editor',
  Genre: 'genre',
  Tags: 'tags',
  Characters: 'characters',
  LanguageISO: 'language',
  AgeRating: 'age_rating',
  Format: 'edition',
  Year: 'year',
  Month: 'month',
  Day: 'day',
  Manga: 'manga',
  Summary: 'summary',
};
const comicInfoKeys = Object.values(infoFields).map((key) => `comic.${key}`);

/** Comic books: archives of page images, optionally described by ComicInfo.xml. */
export const comic: Extractor = {
  name: 'comic',
  version: 1,
  text: true,
  extensions: ['cbz', 'cbr', 'cb7', 'cbt', 'cba', 'cbw'],
  tools: [],
  keys: ['pages', 'comic', ...comicInfoKeys, 'author', 'genre', ...archiveKeys],
  read: (source) =>
    withFileBytes(source, async (file): Promise<Extracted> => {
      const archive = await openComicArchive(file, source);
      const pages = pagesInOrder(archive.names).length;
      const infoName = archive.names.find((name) => /(^|\/)comicinfo\.xml$/i.test(name));
      const info = infoName === undefined ? {} : readComicInfo((await archive.read(infoName, maxInfoBytes)).toString('utf8'));
      const listed = archive.members.finish(archive.format);
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

const numericFields = new Set(['volume', 'count', 'year', 'month', 'day']);

type ComicInfo = Record<string, string | number>;

/** Parses ComicInfo.xml. Unknown elements and the page list are ignored. */
function readComicInfo(xml: string): ComicInfo {
  const info: ComicInfo = {};
  let key: string | undefined;
  let text = '';
  readXml(xml.replace(/^\ufeff/, ''), {
    open(name, _attributes, depth) {
      key = depth === 2 ? infoFields[name] : undefined;
      text = '';
    },
    text(piece) {
      if (key !== undefined && text.length < 20_000) text += piece;
    },
    close(_name, depth) {
      const value = text.trim();
      if (depth === 2 && key !== undefined && value !== '') {
        if (!numericFields.has(key)) info[key] = value.slice(0, key === 'summary' ? 20_000 : 1000);
        else if (Number.isFinite(Number(value))) info[key] = Number(value);
      }
      if (depth === 2) key = undefined;
    },
  });
  return info;
}

/** An opened comic archive. Comic files often have the wrong extension, so the format is detected from the first bytes. */
interface ComicArchive {
  format: string;
  members: MemberList;
  /** Member names as stored, in archive order. */
  names: readonly string[];
  /** Decompresses one member. Throws a guard error if it exceeds `maxBytes`. */
  read(name: string, maxBytes: number): Promise<Buffer>;
}

export async function openComicArchive(file: FileBytes, source: Source): Promise<ComicArchive> {
  const head = file.read(0, 262);
  if (head.toString('latin1', 0, 2) === 'PK') return openAsZip(file, source);
  if (head.toString('latin1', 257, 262) === 'ustar') return openAsTar(file, source);
  return openWithSevenZip(file, source);
}

/** Collects members and also keeps the stored names, which are needed to read a member later. */
function createCollector(source: Source): { members: MemberList; names: string[]; add(member: ArchiveMember): boolean } {
  const members = createMemberList(source.limits);
  const names: string[] = [];
  return {
    members,
    names,
    add(member) {
      const accepted = members.add(member);
      if (accepted && !member.directory) names.push(member.name);
      return accepted;
    },
  };
}

function openAsZip(file: FileBytes, source: Source): ComicArchive {
  const zip = openZip(file, source.limits);
  guardRatio(
    zip.entries.reduce((sum, entry) => sum + entry.size, 0),
    file.size,
    source.limits,
  );
  const { members, names, add } = createCollector(source);
  for (const entry of zip.entries) add(entry);
  if (zip.truncated) members.markTruncated();
  return { format: 'zip', members, names, read: async (name, maxBytes) => zip.read(zip.find(name) ?? throwMissingMember(), maxBytes) };
}

function openAsTar(file: FileBytes, source: Source): ComicArchive {
  const { members, names, add } = createCollector(source);
  const bodies = new Map<string, { offset: number; size: number }>();
  walkTarFile(file, (member, offset) => {
    if (!bodies.has(member.name)) bodies.set(member.name, { offset, size: member.size });
    return add(member);
  });
  return {
    format: 'tar',
    members,
    names,
    async read(name, maxBytes) {
      const body = bodies.get(name) ?? throwMissingMember();
      if (body.size > maxBytes) throw pageTooLarge();
      return file.need(body.offset, body.size);
    },
  };
}

async function openWithSevenZip(file: FileBytes, source: Source): Promise<ComicArchive> {
  const { members, names, add } = createCollector(source);
  const parser = createSltParser({ ...members, add });
  const result = await listLines(file, undefined, (line) => {
    if (!parser.line(line)) throw stopReading;
  });
  parser.finish();
  if (result.status !== 0) throw sevenZipError(result);
  guardRatio(parser.unpacked, file.size, source.limits);
  return {
    format: (parser.archive.get('Type') ?? source.extension).toLowerCase(),
    members,
    names,
    async read(name, maxBytes) {
      const parts: Buffer[] = [];
      let bytes = 0;
      await unpackMembers(file, name, (chunk) => {
        bytes += chunk.length;
        if (bytes > maxBytes) throw pageTooLarge();
        parts.push(chunk);
      });
      return Buffer.concat(parts);
    },
  };
}

function throwMissingMember(): never {
  throw new ExtractError('corrupt', 'A member of the archive is missing.');
}

function pageTooLarge(): ExtractError {
  return new ExtractError('guard', 'A page of the comic is too large.');
}

const byPage = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Image members in reading order (page 2 before page 10), without hidden files and macOS resource forks. */
export function pagesInOrder(names: readonly string[]): string[] {
  return names
    .filter((name) => /\.(jpe?g|jpe|png|webp|gif|bmp|avif|jxl|jp2|tiff?|heic)$/i.test(name) && !/(^|\/)(__MACOSX\/|\.)/.test(name))
    .sort(byPage.compare);
}
