import { childText, childTexts, parseSmallXml, parseYear, type SidecarFacts } from './sidecar-xml.ts';

const rootElements = new Set(['movie', 'episodedetails', 'tvshow', 'musicvideo']);
const textFields = [
  'originaltitle',
  'sorttitle',
  'showtitle',
  'plot',
  'outline',
  'tagline',
  'mpaa',
  'premiered',
  'aired',
  'album',
  'country',
  'status',
] as const;
const numberFields = ['season', 'episode', 'runtime', 'rating', 'userrating', 'track', 'top250'] as const;
const listFields = ['genre', 'director', 'credits', 'studio', 'tag', 'artist'] as const;
const maxTextChars = 20_000;

/** Parses a media centre's NFO file; null when the text is not one. */
export function parseNfo(text: string): SidecarFacts | null {
  const root = parseSmallXml(text);
  if (!root || !rootElements.has(root.name)) return null;
  const raw: Record<string, unknown> = { nfo_kind: root.name };
  const title = childText(root, 'title');
  const year = parseYear(childText(root, 'year')) ?? parseYear(childText(root, 'premiered') ?? childText(root, 'aired'));
  if (title) raw['nfo_title'] = title.slice(0, 1000);
  if (year) raw['nfo_year'] = year;
  for (const key of textFields) {
    const value = childText(root, key);
    if (value) raw[`nfo_${key}`] = value.slice(0, maxTextChars);
  }
  for (const key of numberFields) {
    const value = Number(childText(root, key) ?? Number.NaN);
    if (Number.isFinite(value)) raw[`nfo_${key}`] = value;
  }
  for (const key of listFields) {
    const values = childTexts(root, key);
    if (values.length > 0) raw[`nfo_${key}`] = values.slice(0, 200);
  }
  const actors = root.children
    .filter(({ name }) => name === 'actor')
    .map((actor) => childText(actor, 'name'))
    .filter((name) => name !== null);
  if (actors.length > 0) raw['nfo_actors'] = actors.slice(0, 200);
  const set = root.children.find(({ name }) => name === 'set');
  const setName = set && (childText(set, 'name') ?? (set.text.trim() || null));
  if (setName) raw['nfo_set'] = setName;
  return { raw, title, year, externalIds: externalIds(root) };
}

function externalIds(root: NonNullable<ReturnType<typeof parseSmallXml>>): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const { name, attributes, text } of root.children) {
    const value = text.trim();
    if (!/^[A-Za-z0-9_-]{1,40}$/.test(value)) continue;
    if (name === 'uniqueid') ids[(attributes['type'] ?? 'default').toLowerCase().slice(0, 40)] = value;
    else if (name === 'imdbid' || (name === 'id' && /^tt\d+$/.test(value))) ids['imdb'] ??= value;
    else if (name === 'tmdbid') ids['tmdb'] ??= value;
    else if (name === 'tvdbid') ids['tvdb'] ??= value;
  }
  return ids;
}
