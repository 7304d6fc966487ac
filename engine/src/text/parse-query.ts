import { tokenizeInto } from './tokenize.ts';

export type QueryPart = { kind: 'word'; term: string; prefix: boolean } | { kind: 'phrase'; terms: string[] };

export interface ParsedQuery {
  /** Words and phrases in the order they were typed. */
  parts: QueryPart[];
  /** What must not be there: one term is a word, several are a phrase. */
  exclusions: string[][];
}

export const mostParts = 10;
export const mostExclusions = 10;
export const longestPhrase = 64;

/** What was typed, cut at white space and quotes, before tokenising. */
interface Piece {
  text: string;
  quoted: boolean;
  excluded: boolean;
}

/** Reads query text as RULES.md §2 says. It never fails: whatever is typed means something. */
export function parseQuery(text: string, options: { prefix?: boolean } = {}): ParsedQuery {
  const parts: QueryPart[] = [];
  const exclusions: string[][] = [];
  let prefixAllowed = false;
  for (const piece of pieces(text)) {
    const terms = termsOf(piece.text);
    if (terms.length === 0) continue;
    prefixAllowed = false;
    if (piece.excluded) {
      if (exclusions.length < mostExclusions) exclusions.push(terms);
    } else if (parts.length >= mostParts) {
      if (exclusions.length >= mostExclusions) break;
    } else if (piece.quoted) parts.push({ kind: 'phrase', terms });
    else {
      prefixAllowed = parts.length + terms.length <= mostParts;
      for (const term of terms.slice(0, mostParts - parts.length)) parts.push({ kind: 'word', term, prefix: false });
    }
  }
  const last = parts.at(-1);
  if (prefixAllowed && options.prefix !== false && !/\s$/u.test(text) && last?.kind === 'word') last.prefix = true;
  return { parts, exclusions };
}

function* pieces(text: string): Generator<Piece> {
  const pattern = /(?<minus>(?<!\S)-)?(?:"(?<quoted>[^"]*)"?|(?<plain>[^\s"]+))/gu;
  for (const match of text.matchAll(pattern)) {
    const { minus, quoted, plain } = match.groups as Partial<Record<'minus' | 'quoted' | 'plain', string>>;
    yield { text: quoted ?? plain ?? '', quoted: quoted !== undefined, excluded: minus !== undefined };
  }
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenizeInto(text, (term, _position, extra) => {
    if (!extra && terms.length < longestPhrase) terms.push(term);
  });
  return terms;
}

/** How many typos a query word may have: by its length in code points, and none when it holds a digit. */
export function typoBudget(word: string): 0 | 1 | 2 {
  if (/\p{N}/u.test(word)) return 0;
  let length = 0;
  for (const _ of word) length++;
  return length < 5 ? 0 : length < 9 ? 1 : 2;
}
