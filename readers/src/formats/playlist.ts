import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { readXml } from '../input/xml.ts';
import { withoutEmpty } from './result.ts';
import { readTextHead } from './text/text-file.ts';

const maxBytes = 32 * 1024 * 1024;
const maxEntries = 1000;

interface PlaylistEntry {
  location?: string;
  title?: string;
  artist?: string;
  seconds?: number;
}

interface Playlist {
  format: string;
  title?: string;
  entries: PlaylistEntry[];
}

/** Playlists: their entries. Locations are reported as written and never opened. */
export const playlist: Extractor = {
  name: 'playlist',
  version: 1,
  text: true,
  extensions: ['m3u', 'm3u8', 'pls', 'xspf', 'wpl', 'asx', 'wax', 'wvx', 'wmx', 'b4s', 'cue'],
  tools: [],
  keys: ['playlist', ...['format', 'entry_count', 'entries', 'duration', 'truncated'].map((key) => `playlist.${key}`), 'artist'],
  read: async (source): Promise<Extracted> => {
    const { text, truncated } = await readTextHead(source, maxBytes);
    const list = parsePlaylist(source.extension, text);
    const body = createBodyText(source.limits.bodyTextMaxChars);
    let duration = 0;
    for (const entry of list.entries) {
      duration += entry.seconds !== undefined && entry.seconds > 0 ? entry.seconds : 0;
      body.add([entry.artist, entry.title, baseName(entry.location)].filter(Boolean).join(' '));
      body.break();
    }
    const entries = list.entries.slice(0, maxEntries).map((entry) => withoutEmpty({ ...entry, location: entry.location?.slice(0, 500) }));
    const facts = {
      format: list.format,
      entry_count: list.entries.length,
      entries,
      truncated: truncated || list.entries.length > maxEntries,
    };
    return {
      metadata: { playlist: { ...facts, ...(duration > 0 ? { duration: Math.round(duration * 100) / 100 } : {}) } },
      ...withoutEmpty({ title: list.title?.slice(0, 300) }),
      ...body.result(),
    };
  },
};

const baseName = (location: string | undefined): string | undefined => location?.replace(/^.*[\\/]/, '');

function parsePlaylist(extension: string, text: string): Playlist {
  if (extension === 'cue') return parseCue(text);
  if (extension === 'pls' || /^\s*\[playlist\]/i.test(text)) return parsePls(text);
  if (/^\s*</.test(text)) return parseXmlList(extension, text);
  if (!['m3u', 'm3u8'].includes(extension)) throw new ExtractError('corrupt', 'The file is not a playlist.');
  return parseM3u(text);
}

function parseM3u(text: string): Playlist {
  const list: Playlist = { format: 'm3u', entries: [] };
  let next: PlaylistEntry = {};
  for (const raw of text.split(/\r\n?|\n/)) {
    const line = raw.trim();
    if (line.startsWith('#EXTINF:')) {
      const [, seconds, label] = /^#EXTINF:\s*(-?[\d.]+)[^,]*,?(.*)$/.exec(line) ?? [];
      next = {
        ...(Number(seconds) >= 0 ? { seconds: Number(seconds) } : {}),
        ...(label?.trim() ? { title: label.trim().slice(0, 300) } : {}),
      };
    } else if (line.startsWith('#PLAYLIST:')) list.title = line.slice(10).trim();
    else if (line !== '' && !line.startsWith('#')) {
      list.entries.push({ location: line, ...next });
      next = {};
    }
  }
  return list;
}

function parsePls(text: string): Playlist {
  const entries = new Map<number, PlaylistEntry>();
  for (const [, key = '', index, value = ''] of text.matchAll(/^\s*(File|Title|Length)(\d{1,6})\s*=\s*(.*?)\s*$/gim)) {
    const entry = entries.get(Number(index)) ?? {};
    if (key.toLowerCase() === 'file') entry.location = value;
    else if (key.toLowerCase() === 'title') entry.title = value.slice(0, 300);
    else if (Number(value) >= 0) entry.seconds = Number(value);
    entries.set(Number(index), entry);
  }
  return { format: 'pls', entries: [...entries.entries()].sort((a, b) => a[0] - b[0]).map(([, entry]) => entry) };
}

/** Often written by hand, with tag names in mixed case. */
const windowsLists = new Set(['asx', 'wax', 'wvx', 'wmx']);

/** XSPF, WPL and ASX name the same elements differently. */
function parseXmlList(extension: string, text: string): Playlist {
  const list: Playlist = { format: extension, entries: [] };
  let entry: PlaylistEntry | undefined;
  let content = '';
  readXml(
    windowsLists.has(extension)
      ? text.replace(/<(\/?)([a-z]+)/gi, (_, slash: string, name: string) => `<${slash}${name.toLowerCase()}`)
      : text,
    {
      open(name, attributes) {
        content = '';
        if (name === 'track' || name === 'entry') entry = {};
        else if (name === 'media' && attributes['src']) list.entries.push({ location: attributes['src'] });
        else if (name === 'ref' && entry) entry.location = attributes['href'] ?? attributes['HREF'] ?? '';
      },
      text(piece) {
        if (content.length < 2000) content += piece;
      },
      close(name) {
        const value = content.trim();
        content = '';
        if ((name === 'track' || name === 'entry') && entry) {
          list.entries.push(entry);
          entry = undefined;
        } else if (name === 'location' && entry) entry.location = value;
        else if (name === 'title' && value !== '') {
          if (entry) entry.title = value.slice(0, 300);
          else list.title ??= value;
        } else if ((name === 'creator' || name === 'author') && entry) entry.artist = value.slice(0, 300);
        else if (name === 'duration' && entry && Number(value) > 0) entry.seconds = Number(value) / 1000;
      },
    },
  );
  return list;
}

function parseCue(text: string): Playlist {
  const list: Playlist = { format: 'cue', entries: [] };
  let entry: PlaylistEntry | undefined;
  let file: string | undefined;
  for (const raw of text.split(/\r\n?|\n/)) {
    const [, word, rest] = /^\s*([A-Z]+)\s+(.*?)\s*$/.exec(raw) ?? [];
    const value = /^"(.*?)"/.exec(rest ?? '')?.[1] ?? rest ?? '';
    if (word === 'FILE') file = value;
    else if (word === 'TRACK') {
      entry = file === undefined ? {} : { location: file };
      list.entries.push(entry);
    } else if (word === 'TITLE') {
      if (entry) entry.title = value.slice(0, 300);
      else list.title = value;
    } else if (word === 'PERFORMER' && entry) entry.artist = value.slice(0, 300);
  }
  if (list.entries.length === 0) throw new ExtractError('corrupt', 'The cue sheet has no tracks.');
  return list;
}
