import { parseSmallXml, parseYear, type SidecarFacts } from './sidecar-xml.ts';

/** The fields that are read from a JRiver sidecar, and the metadata key of each. */
const keyByField: Readonly<Record<string, string>> = {
  Name: 'jr_name',
  Artist: 'jr_artist',
  Album: 'jr_album',
  'Album Artist': 'jr_album_artist',
  Genre: 'jr_genre',
  'Date (readable)': 'jr_date',
  Year: 'jr_year',
  'Track #': 'jr_track',
  'Disc #': 'jr_disc',
  Rating: 'jr_rating',
  Comment: 'jr_comment',
  Keywords: 'jr_keywords',
  People: 'jr_people',
  Places: 'jr_places',
  Events: 'jr_events',
  Description: 'jr_description',
  Composer: 'jr_composer',
  Conductor: 'jr_conductor',
  Director: 'jr_director',
  Actors: 'jr_actors',
  Series: 'jr_series',
  Season: 'jr_season',
  Episode: 'jr_episode',
  'Tag Line': 'jr_tag_line',
  Studios: 'jr_studios',
  Language: 'jr_language',
  'MPAA Rating': 'jr_mpaa_rating',
  Duration: 'jr_duration',
};
const numericKeys = new Set(['jr_track', 'jr_disc', 'jr_rating', 'jr_season', 'jr_episode', 'jr_duration']);

/** Parses a JRiver sidecar (`<MPL><Item><Field Name="…">`); null when the text is not one. */
export function parsePlayerSidecar(text: string): SidecarFacts | null {
  const root = parseSmallXml(text);
  if (root?.name !== 'mpl') return null;
  const item = root.children.find(({ name }) => name === 'item');
  if (!item) return null;
  const raw: Record<string, unknown> = {};
  for (const { name, attributes, text: value } of item.children) {
    const key = name === 'field' ? keyByField[attributes['Name'] ?? ''] : undefined;
    const trimmed = value.trim();
    if (key === undefined || trimmed === '' || key === 'jr_year') continue;
    const number = Number(trimmed);
    raw[key] = numericKeys.has(key) && Number.isFinite(number) ? number : trimmed.slice(0, 20_000);
  }
  const field = (wanted: string): string | null =>
    item.children.find(({ attributes }) => attributes['Name'] === wanted)?.text.trim() || null;
  const year = parseYear(field('Year')) ?? parseYear(field('Date (readable)'));
  if (year) raw['jr_year'] = year;
  return { raw, title: field('Name'), year, externalIds: {} };
}
