import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { withoutEmpty } from './result.ts';
import { readTextHead } from './text/text-file.ts';

const maxBytes = 32 * 1024 * 1024;

/** Subtitles: format, number of cues, duration, language from the file name, and text. */
export const subtitles: Extractor = {
  name: 'subtitles',
  version: 2,
  text: true,
  usesName: true,
  extensions: ['srt', 'vtt', 'ass', 'ssa', 'sub', 'sbv', 'smi', 'sami', 'ttml', 'dfxp', 'lrc', 'mpsub', 'idx'],
  tools: [],
  keys: ['subtitles', ...['format', 'cues', 'language', 'forced', 'hearing_impaired'].map((key) => `subtitles.${key}`), 'duration'],
  read: async (source): Promise<Extracted> => {
    const named = languageInName(source.filename);
    if (await isVobSubStream(source)) return { metadata: { subtitles: withoutEmpty({ format: 'vobsub', ...named }) } };
    const { text } = await readTextHead(source, maxBytes);
    const { format, cues, language } = readCues(source.extension, text);
    const body = createBodyText(source.limits.bodyTextMaxChars);
    let last = 0;
    let previous = '';
    for (const cue of cues) {
      last = Math.max(last, cue.end ?? cue.start ?? 0);
      // Rolling captions repeat the previous line.
      if (cue.text !== '' && cue.text !== previous) {
        body.add(cue.text);
        body.break();
      }
      previous = cue.text;
    }
    return {
      metadata: {
        subtitles: withoutEmpty({ format, cues: cues.length, language, ...named }),
        ...(last > 0 ? { duration: Math.round(last * 1000) / 1000 } : {}),
      },
      ...body.result(),
    };
  },
};

/** `.sub` is also the image part of VobSub, which is an MPEG stream. */
async function isVobSubStream(source: Parameters<Extractor['read']>[0]): Promise<boolean> {
  if (source.extension !== 'sub') return false;
  return withFileBytes(source, (file) => file.read(0, 4).equals(Buffer.from([0, 0, 1, 0xba])));
}

interface Cue {
  start?: number;
  end?: number;
  text: string;
}

const maxCues = 200_000;

/** Parses cues of all text subtitle formats and removes markup. */
function readCues(extension: string, text: string): { format: string; cues: Cue[]; language?: string } {
  if (extension === 'idx') return readVobSubIndex(text);
  if (extension === 'ass' || extension === 'ssa') return { format: extension, cues: readAss(text) };
  if (extension === 'smi' || extension === 'sami') return { format: 'sami', cues: readSami(text) };
  if (extension === 'ttml' || extension === 'dfxp') return readTtml(text);
  if (extension === 'lrc') return { format: 'lrc', cues: readLyrics(text) };
  if (extension === 'sub' && /^\s*\{\d+\}\{\d+\}/.test(text)) return { format: 'microdvd', cues: readMicroDvd(text) };
  return { format: extension === 'vtt' || text.startsWith('WEBVTT') ? 'vtt' : extension, cues: readTimed(text) };
}

/** SubRip, WebVTT, SubViewer and YouTube SBV: a line with two times, then text until a blank line. */
function readTimed(text: string): Cue[] {
  const cues: Cue[] = [];
  let cue: Cue | undefined;
  for (const raw of text.split(/\r\n?|\n/)) {
    const line = raw.trim();
    const times = /^(\d+:)?(\d{1,2}):(\d\d)(?:[.,](\d{1,3}))?\s*(?:-->|,)\s*(\d+:)?(\d{1,2}):(\d\d)(?:[.,](\d{1,3}))?/.exec(line);
    if (times) {
      if (cues.length >= maxCues) break;
      cue = { start: clock(times, 1), end: clock(times, 5), text: '' };
      cues.push(cue);
    } else if (line === '') cue = undefined;
    else if (cue) cue.text += `${cue.text === '' ? '' : ' '}${withoutMarkup(line)}`;
  }
  if (cues.length === 0 && text.trim() !== '' && !text.startsWith('WEBVTT'))
    throw new ExtractError('corrupt', 'The file contains no subtitles.');
  return cues;
}

function clock(parts: RegExpExecArray, at: number): number {
  const hours = Number((parts[at] ?? '0').replace(':', ''));
  const fraction = Number(`0.${parts[at + 3] ?? '0'}`);
  return hours * 3600 + Number(parts[at + 1]) * 60 + Number(parts[at + 2]) + fraction;
}

function readAss(text: string): Cue[] {
  if (!/^\s*(?:\ufeff)?(?:;.*\r?\n)*\s*\[Script Info\]/i.test(text) && !/^Dialogue:/m.test(text))
    throw new ExtractError('corrupt', 'The file contains no subtitles.');
  const cues: Cue[] = [];
  for (const [, start = '', end = '', spoken = ''] of text.matchAll(/^Dialogue:[^,\n]*,([^,\n]*),([^,\n]*),(?:[^,\n]*,){6}(.*)$/gm)) {
    if (cues.length >= maxCues) break;
    const plain = spoken
      .replace(/\{[^}]*\}/g, '')
      .replace(/\\[Nnh]/g, ' ')
      .trim();
    cues.push({ start: parseClock(start), end: parseClock(end), text: plain });
  }
  return cues;
}

function parseClock(time: string): number {
  const [h = 0, m = 0, s = 0] = time.trim().split(':').map(Number);
  return h * 3600 + m * 60 + s || 0;
}

function readSami(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const [, start, body = ''] of text.matchAll(/<SYNC\s+Start\s*=\s*"?(\d+)"?[^>]*>([\s\S]*?)(?=<SYNC|<\/BODY|$)/gi)) {
    if (cues.length >= maxCues) break;
    const plain = withoutMarkup(body.replace(/&nbsp;/gi, ' '))
      .replace(/\s+/g, ' ')
      .trim();
    if (plain !== '') cues.push({ start: Number(start) / 1000, text: plain });
  }
  if (!/<SAMI/i.test(text)) throw new ExtractError('corrupt', 'The file contains no subtitles.');
  return cues;
}

function readTtml(text: string): { format: string; cues: Cue[]; language?: string } {
  if (!/<(?:\w+:)?tt[\s>]/.test(text)) throw new ExtractError('corrupt', 'The file contains no subtitles.');
  const cues: Cue[] = [];
  for (const [, attributes = '', body = ''] of text.matchAll(/<(?:\w+:)?p\b([^>]*)>([\s\S]*?)<\/(?:\w+:)?p>/g)) {
    if (cues.length >= maxCues) break;
    const time = (name: string): number | undefined => {
      const value = new RegExp(`\\b${name}="([^"]{1,30})"`).exec(attributes)?.[1];
      return value === undefined ? undefined : value.includes(':') ? parseClock(value) : Number.parseFloat(value) || undefined;
    };
    const [start, end] = [time('begin'), time('end')];
    cues.push({
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { end }),
      text: withoutMarkup(body.replace(/<(?:\w+:)?br\s*\/?>/g, ' ')).trim(),
    });
  }
  const language = /xml:lang="([A-Za-z-]{2,12})"/.exec(text)?.[1];
  return { format: 'ttml', cues, ...(language ? { language } : {}) };
}

function readLyrics(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const [, minutes, secs, words = ''] of text.matchAll(/^(?:\[\d+:[\d.]+\])*\[(\d+):([\d.]+)\](.*)$/gm)) {
    if (cues.length >= maxCues) break;
    cues.push({ start: Number(minutes) * 60 + Number(secs), text: words.trim() });
  }
  return cues;
}

function readMicroDvd(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const [, words = ''] of text.matchAll(/^\{\d+\}\{\d+\}(.*)$/gm)) {
    if (cues.length >= maxCues) break;
    cues.push({
      text: words
        .replace(/\{[^}]*\}/g, '')
        .replaceAll('|', ' ')
        .trim(),
    });
  }
  return cues;
}

/** The index of VobSub image subtitles has times and languages but no text. */
function readVobSubIndex(text: string): { format: string; cues: Cue[]; language?: string } {
  if (!text.includes('VobSub')) throw new ExtractError('corrupt', 'The file is not a subtitle index.');
  const cues: Cue[] = [];
  for (const [, time = ''] of text.matchAll(/^timestamp:\s*([\d:]+)/gm)) {
    if (cues.length >= maxCues) break;
    const [h = 0, m = 0, s = 0, ms = 0] = time.split(':').map(Number);
    cues.push({ start: h * 3600 + m * 60 + s + ms / 1000, text: '' });
  }
  const language = /^id:\s*([a-z]{2}),/m.exec(text)?.[1];
  return { format: 'vobsub', cues, ...(language ? { language } : {}) };
}

const withoutMarkup = (text: string): string =>
  text
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/\{\\[^}]{0,200}\}/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const languageCodes: Record<string, string> = {
  english: 'en',
  french: 'fr',
  german: 'de',
  spanish: 'es',
  italian: 'it',
  dutch: 'nl',
  portuguese: 'pt',
  russian: 'ru',
  polish: 'pl',
  swedish: 'sv',
  norwegian: 'no',
  danish: 'da',
  finnish: 'fi',
  czech: 'cs',
  turkish: 'tr',
  greek: 'el',
  arabic: 'ar',
  hebrew: 'he',
  hindi: 'hi',
  chinese: 'zh',
  japanese: 'ja',
  korean: 'ko',
  eng: 'en',
  fre: 'fr',
  fra: 'fr',
  ger: 'de',
  deu: 'de',
  spa: 'es',
  ita: 'it',
  dut: 'nl',
  nld: 'nl',
  por: 'pt',
  rus: 'ru',
  pol: 'pl',
  swe: 'sv',
  nor: 'no',
  dan: 'da',
  fin: 'fi',
  cze: 'cs',
  ces: 'cs',
  tur: 'tr',
  gre: 'el',
  ell: 'el',
  ara: 'ar',
  heb: 'he',
  hin: 'hi',
  chi: 'zh',
  zho: 'zh',
  jpn: 'ja',
  kor: 'ko',
  ukr: 'uk',
  hun: 'hu',
  rum: 'ro',
  ron: 'ro',
  bul: 'bg',
  hrv: 'hr',
  srp: 'sr',
  slv: 'sl',
  tha: 'th',
  vie: 'vi',
  ind: 'id',
};
const twoLetters = new Set([
  ...Object.values(languageCodes),
  'sk',
  'et',
  'lv',
  'lt',
  'ca',
  'eu',
  'gl',
  'is',
  'fa',
  'ur',
  'ms',
  'bn',
  'ta',
  'te',
  'mk',
  'sq',
  'bs',
  'ga',
  'cy',
]);

/**
 * Reads language and flags from the file name, as in `film.pt-BR.forced.srt`. Only the last three parts are considered, so that words of
 * the title are not taken for a language.
 */
export function languageInName(filename: string): { language?: string; forced?: boolean; hearing_impaired?: boolean } {
  const parts = filename.split('.').slice(1, -1).slice(-3);
  const found: { language?: string; forced?: boolean; hearing_impaired?: boolean } = {};
  for (const part of parts.reverse()) {
    const word = part.toLowerCase().trim();
    if (word === 'forced' || word === 'foreign') found.forced = true;
    else if (word === 'sdh' || word === 'cc' || (word === 'hi' && found.language === undefined && parts.length > 1))
      found.hearing_impaired = true;
    else if (word !== 'default' && word !== 'full') {
      const [base = '', region] = word.split(/[-_]/);
      const code = languageCodes[base] ?? (twoLetters.has(base) ? base : undefined);
      if (code !== undefined) found.language ??= region && /^[a-z]{2}$/.test(region) ? `${code}-${region.toUpperCase()}` : code;
      break;
    }
  }
  return found;
}
