import { readXml } from '../../input/xml.ts';

/** Elements of ComicInfo.xml that are worth knowing, and their keys. */
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
export const comicInfoKeys = Object.values(infoFields).map((key) => `comic.${key}`);

const numericFields = new Set(['volume', 'count', 'year', 'month', 'day']);

export type ComicInfo = Record<string, string | number>;

/** Reads ComicInfo.xml; unknown elements and the list of pages are passed over. */
export function readComicInfo(xml: string): ComicInfo {
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
