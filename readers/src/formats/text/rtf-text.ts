/**
 * A minimal RTF parser: groups, control words, escaped and Unicode characters. Hidden destinations are skipped. Bytes are decoded by the
 * character set of the current font.
 */
import type { BodyText } from '../../body-text.ts';
import { type CharsetDecoder, codePageDecoder } from '../../input/charset.ts';

const words = (...lines: string[]): Set<string> => new Set(lines.flatMap((line) => line.split(' ')));

/** Destinations whose content is not visible text. */
const hidden = words(
  'colortbl stylesheet pict themedata datastore listtable listoverridetable rsidtbl generator filetbl revtbl xmlnstbl latentstyles fldinst',
  'bkmkstart bkmkend nonshppict objdata objclass objname objalias upr xe tc rxe txe',
);
/** Destinations that are visible although they begin with `\*`, which marks what old programs may skip. */
const visible = words('shptxt annotation result ud footnote header footer headerl headerr headerf footerl footerr footerf');
const infoTexts: Record<string, string> = {
  title: 'title',
  author: 'author',
  subject: 'subject',
  keywords: 'keywords',
  company: 'company',
};
const infoDates: Record<string, string> = { creatim: 'created', revtim: 'modified' };
const infoNumbers: Record<string, string> = { nofpages: 'pages', nofwords: 'word_count' };
const characters: Record<string, string> = {
  tab: ' ',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  endash: '–',
  emdash: '—',
  emspace: ' ',
  enspace: ' ',
  bullet: '•',
};
const breaks = words('par line sect page row pard nestrow footnote annotation');
const documentPages: Record<string, number> = { ansi: 1252, mac: 10_000, pc: 437, pca: 850 };
/** Code pages of the values of `\fcharset`. */
const fontCharsets: Record<number, number> = {
  0: 1252,
  77: 10_000,
  78: 10_001,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};
const MAX_DEPTH = 1000;
const MAX_FONTS = 10_000;

interface Group {
  hidden: boolean;
  info?: string;
  date?: Record<string, number>;
  /** Characters after `\u` that old programs show in its place. */
  skip: number;
  font?: number;
  fontTable?: boolean;
}

interface RtfState {
  info: Record<string, unknown>;
  group: Group;
  /** Code pages of fonts by their number. */
  fonts: Map<number, number>;
  codePage: number;
  defaultFont?: number;
}

export function readRtf(bytes: Buffer, body: BodyText): { info: Record<string, unknown>; complete: boolean } {
  const text = bytes.toString('latin1');
  const stack: Group[] = [];
  const state: RtfState = { info: {}, group: { hidden: false, skip: 1 }, fonts: new Map(), codePage: 1252 };
  const { info } = state;
  const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy;
  const decoders = new Map<number, CharsetDecoder>();
  /** Bytes in Latin-1 that are not decoded yet, because a character can consist of several tokens. */
  let pending = '';
  let ignore = 0;
  /** `\\*` marks a destination only at the beginning of a group; some programs write it elsewhere. */
  let groupBegins = false;
  const append = (piece: string): void => {
    const { group } = state;
    if (group.info !== undefined) info[group.info] = `${info[group.info] ?? ''}${piece}`.slice(0, 2000);
    else if (!group.hidden) body.add(piece);
  };
  const flush = (): void => {
    if (pending === '') return;
    const page = state.fonts.get(state.group.font ?? state.defaultFont ?? -1) ?? state.codePage;
    if (/^[\x00-\x7f]*$/.test(pending)) append(pending);
    else {
      if (!decoders.has(page)) decoders.set(page, codePageDecoder(page));
      append((decoders.get(page) as CharsetDecoder).decode(Buffer.from(pending, 'latin1')));
    }
    pending = '';
  };
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [, word, digits, hex, symbol, brace, plain] = found;
    const literal = plain ?? (symbol === '\\' || symbol === '{' || symbol === '}' ? symbol : undefined);
    if (hex !== undefined || literal !== undefined) {
      groupBegins = false;
      const piece = hex === undefined ? (literal as string) : String.fromCharCode(Number.parseInt(hex, 16));
      pending += ignore > 0 ? piece.slice(ignore) : piece;
      ignore = Math.max(0, ignore - piece.length);
      continue;
    }
    if (word === undefined && symbol === undefined && brace === undefined) continue;
    flush();
    ignore = 0;
    const begins = groupBegins;
    groupBegins = brace === '{';
    if (brace === '{') {
      if (stack.length >= MAX_DEPTH) return { info, complete: false };
      stack.push(state.group);
      state.group = { ...state.group };
    } else if (brace === '}') {
      finishDate(state.group, info);
      const outer = stack.pop();
      if (outer === undefined || stack.length === 0) return { info, complete: true };
      state.group = outer;
    } else if (word !== undefined) {
      const number = digits === undefined ? undefined : Number(digits);
      if (word === 'u' && number !== undefined) {
        append(String.fromCharCode(number & 0xffff));
        ignore = state.group.skip;
      } else if (word === 'bin') token.lastIndex += Math.max(0, number ?? 0);
      else applyControlWord(word.toLowerCase(), number, state, append, body);
    } else if (symbol === '*') state.group.hidden ||= begins;
    else if (symbol === '~') append(' ');
    else if (symbol === '_') append('-');
    else if ((symbol === '\n' || symbol === '\r') && !state.group.hidden) body.break();
    if (body.full()) return { info, complete: false };
  }
  flush();
  return { info, complete: false };
}

function applyControlWord(word: string, number: number | undefined, state: RtfState, append: (text: string) => void, body: BodyText): void {
  const { group, info } = state;
  if (applyFontWord(word, number, state)) return;
  if (word === 'uc') group.skip = Math.min(number ?? 1, 8);
  else if (hidden.has(word) || word === 'info') group.hidden = true;
  else if (group.hidden && visible.has(word)) group.hidden = false;
  else if (group.hidden && infoTexts[word] !== undefined) group.info = infoTexts[word];
  else if (group.hidden && infoDates[word] !== undefined) group.date = { name: word === 'creatim' ? 1 : 2 };
  else if (group.hidden && infoNumbers[word] !== undefined && number !== undefined) info[infoNumbers[word] as string] = number;
  else if (group.date !== undefined && number !== undefined) group.date[word] = number;
  else if (characters[word] !== undefined) append(characters[word] as string);
  else if (word === 'cell' || word === 'nestcell') body.break(' ');
  if (breaks.has(word) && !group.hidden) body.break();
}

/** Applies control words about fonts and code pages. Returns false for all others. */
function applyFontWord(word: string, number: number | undefined, state: RtfState): boolean {
  const { group, fonts } = state;
  if (word === 'ansicpg') state.codePage = number ?? 1252;
  else if (documentPages[word] !== undefined) state.codePage = documentPages[word] as number;
  else if (word === 'deff') setNumber(state, 'defaultFont', number);
  else if (word === 'fonttbl') Object.assign(group, { hidden: true, fontTable: true });
  else if (word === 'f') setNumber(group, 'font', number);
  else if (word === 'plain') delete group.font;
  else if (group.fontTable && group.font !== undefined && fonts.size < MAX_FONTS && (word === 'fcharset' || word === 'cpg')) {
    const page = word === 'cpg' ? number : fontCharsets[number ?? -1];
    // Character set 0 is the default of many programs, which then write bytes of the document's code page.
    if (page !== undefined && !(word === 'fcharset' && number === 0)) fonts.set(group.font, page);
  } else return false;
  return true;
}

function setNumber<K extends string>(target: { [key in K]?: number }, key: K, value: number | undefined): void {
  if (value === undefined) delete target[key];
  else (target as Record<string, number>)[key] = value;
}

function finishDate(group: Group, info: Record<string, unknown>): void {
  const { date } = group;
  // Programs write the first date of their calendar, in 1601, for none.
  if (date?.['yr'] === undefined || date['yr'] < 1900) return;
  const moment = new Date(Date.UTC(date['yr'], (date['mo'] ?? 1) - 1, date['dy'] ?? 1, date['hr'] ?? 0, date['min'] ?? 0));
  if (!Number.isNaN(moment.getTime())) info[date['name'] === 1 ? 'created' : 'modified'] = moment.toISOString();
}
