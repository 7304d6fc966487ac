import { TextDecoder } from 'node:util';
import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { readWholeFile } from '../../input/file-bytes.ts';
import { codePageDecoder } from './text-file.ts';

const READ_MAX = 64 * 1024 * 1024;

/** Rich text: the information group and the visible text. */
export const richText: Extractor = {
  name: 'rtf',
  version: 1,
  extensions: ['rtf'],
  tools: [],
  keys: ['title', 'author', 'subject', 'keywords', 'company', 'created', 'modified', 'pages', 'word_count'],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const bytes = readWholeFile(source, Math.min(READ_MAX, source.limits.documentMaxBytes));
  if (bytes.toString('latin1', 0, 5) !== '{\\rtf') throw new ExtractError('corrupt', 'The file is not rich text.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const { info, complete } = readRtf(bytes, body);
  if (!complete && !body.full()) body.markTruncated();
  const title = info['title'] as string | undefined;
  const words = body.full() ? undefined : body.words();
  return { metadata: { ...info, word_count: info['word_count'] ?? words }, ...(title !== undefined && { title }), ...body.result() };
}

/** Destinations whose content is not visible text. */
const hidden = new Set(
  [
    'fonttbl colortbl stylesheet pict object themedata datastore listtable listoverridetable rsidtbl generator',
    'filetbl revtbl xmlnstbl latentstyles fldinst bkmkstart bkmkend nonshppict shppict',
  ].flatMap((line) => line.split(' ')),
);
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
  bullet: '•',
  '~': ' ',
};
const breaks = new Set(['par', 'line', 'sect', 'page', 'row', 'pard']);
const MAX_DEPTH = 1000;

interface Group {
  hidden: boolean;
  info?: string;
  date?: Record<string, number>;
  skip: number;
}

/** A minimal RTF parser: groups, control words, escaped and Unicode characters. Hidden destinations are skipped. */
function readRtf(bytes: Buffer, body: BodyText): { info: Record<string, unknown>; complete: boolean } {
  const text = bytes.toString('latin1');
  const info: Record<string, unknown> = {};
  const stack: Group[] = [{ hidden: false, skip: 1 }];
  const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy;
  let decoder = new TextDecoder('windows-1252');
  let pendingBytes: number[] = [];
  let ignore = 0;
  const top = (): Group => stack[stack.length - 1] as Group;
  const append = (piece: string): void => {
    const group = top();
    if (group.info !== undefined) info[group.info] = `${info[group.info] ?? ''}${piece}`.slice(0, 2000);
    else if (!group.hidden) body.add(piece);
  };
  const flush = (): void => {
    if (pendingBytes.length === 0) return;
    append(decoder.decode(Uint8Array.from(pendingBytes)));
    pendingBytes = [];
  };
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [, word, digits, hex, symbol, brace, plain] = found;
    if (hex !== undefined) {
      if (ignore > 0) ignore -= 1;
      else pendingBytes.push(Number.parseInt(hex, 16));
      continue;
    }
    flush();
    if (brace === '{') {
      if (stack.length >= MAX_DEPTH) return { info, complete: false };
      stack.push({ ...top() });
    } else if (brace === '}') {
      finishDate(stack.pop(), info);
      if (stack.length <= 1) return { info, complete: true };
    } else if (word !== undefined) {
      const number = digits === undefined ? undefined : Number(digits);
      if (word === 'u' && number !== undefined) {
        append(String.fromCharCode(number & 0xffff));
        ignore = top().skip;
      } else if (word === 'uc') top().skip = Math.min(number ?? 1, 8);
      else if (word === 'ansicpg') decoder = codePageDecoder(number);
      else applyControlWord(word, number, top(), info, append, body);
    } else if (symbol === '*') top().hidden = true;
    else if (symbol === '~' || symbol === '\\' || symbol === '{' || symbol === '}') append(symbol === '~' ? ' ' : symbol);
    else if (symbol === '\n' || symbol === '\r') body.break();
    else if (plain !== undefined) {
      append(ignore > 0 ? plain.slice(ignore) : plain);
      ignore = 0;
    }
    if (body.full()) return { info, complete: false };
  }
  return { info, complete: false };
}

function applyControlWord(
  word: string,
  number: number | undefined,
  group: Group,
  info: Record<string, unknown>,
  append: (text: string) => void,
  body: BodyText,
): void {
  if (hidden.has(word)) group.hidden = true;
  else if (word === 'info') group.hidden = true;
  else if (group.hidden && infoTexts[word] !== undefined) group.info = infoTexts[word];
  else if (group.hidden && infoDates[word] !== undefined) group.date = { name: word === 'creatim' ? 1 : 2 };
  else if (group.hidden && infoNumbers[word] !== undefined && number !== undefined) info[infoNumbers[word] as string] = number;
  else if (group.date !== undefined && number !== undefined) group.date[word] = number;
  else if (characters[word] !== undefined) append(characters[word] as string);
  else if (word === 'cell') body.break(' ');
  else if (breaks.has(word) && !group.hidden) body.break();
}

function finishDate(group: Group | undefined, info: Record<string, unknown>): void {
  const date = group?.date;
  if (date?.['yr'] === undefined) return;
  const moment = new Date(Date.UTC(date['yr'], (date['mo'] ?? 1) - 1, date['dy'] ?? 1, date['hr'] ?? 0, date['min'] ?? 0));
  if (!Number.isNaN(moment.getTime())) info[date['name'] === 1 ? 'created' : 'modified'] = moment.toISOString();
}
