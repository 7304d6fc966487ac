import { queryError } from './query-error.ts';

/** Tokens of a query. Only upper-case AND, OR and NOT are operators; `and` is a word. */
export type QueryToken =
  | { kind: 'open' | 'close' | 'and' | 'or' | 'not'; start: number; end: number }
  | {
      kind: 'text';
      start: number;
      end: number;
      key: string | null;
      /** Begins with the comparator, if there is one. */
      value: string;
      quoted: boolean;
      /** A comparator before the opening quote; inside quotes it is part of the value. */
      comparator: string;
      fuzzy: boolean;
      valueStart: number;
    };

interface LexOptions {
  /** A query with more tokens is rejected without reading the rest. */
  maxTokens: number;
  /** Whether the name before a colon is a filter key; anything else is text. */
  isKey(name: string): boolean;
  /** While typing, an open quote ends with the query instead of being an error. */
  typing: boolean;
}

/** Keys of ranges, where the colon may be left out: `size>10m`. */
const comparable = /^(?:size|year|modified|created|taken|meta\..+)$/i;

const operators: Record<string, 'and' | 'or' | 'not'> = { AND: 'and', OR: 'or', NOT: 'not' };

export function lex(query: string, options: LexOptions): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (let at = 0; at < query.length; ) {
    const character = query.charAt(at);
    if (tokens.length > options.maxTokens) throw queryError('too_long', at, 'The query is too long. Remove some of its words or filters.');
    if (isSpace(character)) at += 1;
    else if (character === '(' || character === ')') {
      tokens.push({ kind: character === '(' ? 'open' : 'close', start: at, end: at + 1 });
      at += 1;
    } else if ((character === '-' || character === '!') && /[^\s)]/u.test(query[at + 1] ?? ' ')) {
      tokens.push({ kind: 'not', start: at, end: at + 1 });
      at += 1;
    } else {
      const token = readText(query, at, options);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function readText(query: string, start: number, options: LexOptions): QueryToken {
  const fuzzy = query[start] === '~' && /[^\s)]/u.test(query[start + 1] ?? ' ');
  const from = fuzzy ? start + 1 : start;
  if (query[from] === '"') {
    const { value, end } = readQuoted(query, from, options);
    return { kind: 'text', start, end, key: null, value, quoted: true, comparator: '', fuzzy, valueStart: from };
  }
  const [, key, colon = ''] = /^([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_.*-]*)?)(:|(?=[<>]))/.exec(query.slice(from, from + 80)) ?? [];
  if (key !== undefined && (colon ? options.isKey(key) : comparable.test(key))) {
    const valueStart = from + key.length + colon.length;
    const comparator = /^(?:>=|<=|>|<|=)/.exec(query.slice(valueStart, valueStart + 2))?.[0] ?? '';
    if (query[valueStart + comparator.length] === '"') {
      const { value, end } = readQuoted(query, valueStart + comparator.length, options);
      return { kind: 'text', start, end, key, value: comparator + value, quoted: true, comparator, fuzzy, valueStart };
    }
    const end = endOfWord(query, valueStart);
    return { kind: 'text', start, end, key, value: query.slice(valueStart, end), quoted: false, comparator: '', fuzzy, valueStart };
  }
  const end = endOfWord(query, from);
  const value = query.slice(from, end);
  const operator = Object.hasOwn(operators, value) && !fuzzy ? operators[value] : undefined;
  if (operator) return { kind: operator, start, end };
  return { kind: 'text', start, end, key: null, value, quoted: false, comparator: '', fuzzy, valueStart: from };
}

/** The longest file name; a parenthesis opened further back cannot belong to the same word. */
const maxNameLength = 255;

/** A parenthesis inside a word is part of it, as in `copy(2).jpg`; if it is never closed, the word ends before it. */
function endOfWord(query: string, start: number): number {
  let depth = 0;
  let opened = -1;
  let at = start;
  for (; at < query.length; at += 1) {
    const character = query.charAt(at);
    if (isSpace(character)) break;
    if (character === '(') {
      depth += 1;
      if (opened < 0) opened = at;
    }
    if (character === ')') {
      if (depth === 0) break;
      depth -= 1;
    }
    if (depth > 0 && at - opened > maxNameLength) break;
  }
  return depth > 0 && opened > start ? opened : at;
}

function isSpace(character: string): boolean {
  return character <= '\x7f' ? character === ' ' || (character >= '\t' && character <= '\r') : /\s/u.test(character);
}

/** Inside quotes `\"` is a quote and `\\` a backslash. */
function readQuoted(query: string, start: number, { typing }: LexOptions): { value: string; end: number } {
  let value = '';
  for (let at = start + 1; at < query.length; at += 1) {
    const character = query.charAt(at);
    if (character === '"') return { value, end: at + 1 };
    if (character === '\\' && (query[at + 1] === '"' || query[at + 1] === '\\')) {
      at += 1;
      value += query[at];
    } else value += character;
  }
  if (!typing) throw queryError('unterminated_quote', start, 'This quote is never closed. Add the closing quote.');
  return { value, end: query.length };
}
