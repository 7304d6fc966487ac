import { queryError } from './query-error.ts';

/** A query cut into pieces. Only upper-case AND, OR and NOT are operators: `and` is a word. */
export type QueryToken =
  | { kind: 'open' | 'close' | 'and' | 'or' | 'not'; start: number; end: number }
  | { kind: 'text'; start: number; end: number; key: string | null; value: string; quoted: boolean; fuzzy: boolean; valueStart: number };

export interface LexOptions {
  /** A query of more pieces is refused before the rest is read. */
  most: number;
  /** Is this name a key? Anything else before a colon is text. */
  isKey(name: string): boolean;
  /** Somebody is still typing: what is open is closed at the end instead of refused. */
  typing: boolean;
}

const operators: Record<string, 'and' | 'or' | 'not'> = { AND: 'and', OR: 'or', NOT: 'not' };

export function lex(query: string, options: LexOptions): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (let at = 0; at < query.length; ) {
    const character = query[at]!;
    if (tokens.length > options.most) throw queryError('too_long', at, 'The query has too many parts.');
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
    return { kind: 'text', start, end, key: null, value, quoted: true, fuzzy, valueStart: from };
  }
  const key = /^([A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_.*-]*)?):/.exec(query.slice(from, from + 80))?.[1];
  if (key !== undefined && options.isKey(key)) {
    const valueStart = from + key.length + 1;
    const lead = /^(?:>=|<=|>|<|=)?/.exec(query.slice(valueStart, valueStart + 2))![0];
    if (query[valueStart + lead.length] === '"') {
      const { value, end } = readQuoted(query, valueStart + lead.length, options);
      return { kind: 'text', start, end, key, value: lead + value, quoted: true, fuzzy, valueStart };
    }
    const end = endOfWord(query, valueStart);
    return { kind: 'text', start, end, key, value: query.slice(valueStart, end), quoted: false, fuzzy, valueStart };
  }
  const end = endOfWord(query, from);
  const value = query.slice(from, end);
  const operator = Object.hasOwn(operators, value) && !fuzzy ? operators[value] : undefined;
  if (operator) return { kind: operator, start, end };
  return { kind: 'text', start, end, key: null, value, quoted: false, fuzzy, valueStart: from };
}

/** No file name is longer than this: what opens further back closes nothing in this word. */
const longestName = 255;

/** A parenthesis that opens inside a word belongs to it, as in `copy(2).jpg`; one that is never closed ends the word where it stands. */
function endOfWord(query: string, start: number): number {
  let depth = 0;
  let opened = -1;
  let at = start;
  for (; at < query.length; at += 1) {
    const sign = query[at]!;
    if (isSpace(sign)) break;
    if (sign === '(') {
      depth += 1;
      if (opened < 0) opened = at;
    }
    if (sign === ')') {
      if (depth === 0) break;
      depth -= 1;
    }
    if (depth > 0 && at - opened > longestName) break;
  }
  return depth > 0 && opened > start ? opened : at;
}

function isSpace(sign: string): boolean {
  return sign <= '\x7f' ? sign === ' ' || (sign >= '\t' && sign <= '\r') : /\s/u.test(sign);
}

/** Inside quotes `\"` is a quote and `\\` a backslash. */
function readQuoted(query: string, start: number, { typing }: LexOptions): { value: string; end: number } {
  let value = '';
  for (let at = start + 1; at < query.length; at += 1) {
    const sign = query[at]!;
    if (sign === '"') return { value, end: at + 1 };
    if (sign === '\\' && (query[at + 1] === '"' || query[at + 1] === '\\')) {
      at += 1;
      value += query[at];
    } else value += sign;
  }
  if (!typing) throw queryError('unterminated_quote', start, 'A quote is opened here and never closed. Add the closing quote.');
  return { value, end: query.length };
}
