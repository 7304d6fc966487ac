import { tokenizeInto } from './tokenize.ts';

type QueryPart = { kind: 'word'; term: string; prefix: boolean } | { kind: 'phrase'; terms: string[] };

interface ParsedSearchText {
  /** Words and phrases in query order. */
  parts: QueryPart[];
  /** Exclusions: one term is a word, several are a phrase. */
  exclusions: string[][];
}

const maxParts = 10;
const maxExclusions = 10;
const maxPhraseTokens = 64;

/** A part of the query text between white space or quotes, before tokenising. */
interface Piece {
  text: string;
  quoted: boolean;
  excluded: boolean;
}

/** Parses query text as RULES.md §2 describes. Every input is valid. */
export function parseSearchText(text: string, options: { prefix?: boolean } = {}): ParsedSearchText {
  const parts: QueryPart[] = [];
  const exclusions: string[][] = [];
  let prefixAllowed = false;
  for (const piece of splitQuery(text)) {
    const terms = termsOf(piece.text);
    if (terms.length === 0) continue;
    prefixAllowed = false;
    if (piece.excluded) {
      if (exclusions.length < maxExclusions) exclusions.push(terms);
    } else if (parts.length >= maxParts) {
      if (exclusions.length >= maxExclusions) break;
    } else if (piece.quoted) parts.push({ kind: 'phrase', terms });
    else {
      prefixAllowed = parts.length + terms.length <= maxParts;
      for (const term of terms.slice(0, maxParts - parts.length)) parts.push({ kind: 'word', term, prefix: false });
    }
  }
  const last = parts.at(-1);
  if (prefixAllowed && options.prefix !== false && !/\s$/u.test(text) && last?.kind === 'word') last.prefix = true;
  return { parts, exclusions };
}

function* splitQuery(text: string): Generator<Piece> {
  const pattern = /(?<minus>(?<!\S)-)?(?:"(?<quoted>[^"]*)"?|(?<plain>[^\s"]+))/gu;
  for (const match of text.matchAll(pattern)) {
    const { minus, quoted, plain } = match.groups as Partial<Record<'minus' | 'quoted' | 'plain', string>>;
    yield { text: quoted ?? plain ?? '', quoted: quoted !== undefined, excluded: minus !== undefined };
  }
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenizeInto(text, (term, _position, extra) => {
    if (!extra && terms.length < maxPhraseTokens) terms.push(term);
  });
  return terms;
}

/** Returns the number of typos allowed in a query word: by its length in code points, none when it contains a digit. */
export function typoBudget(word: string): 0 | 1 | 2 {
  if (/\p{N}/u.test(word)) return 0;
  let length = 0;
  for (const _ of word) length++;
  return length < 5 ? 0 : length < 9 ? 1 : 2;
}
