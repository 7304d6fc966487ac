/*
 * A small copy of the server's query lexer (server/src/search/language), for coloring the search box and for filter chips before the
 * response arrives. The server's parse is authoritative; a new filter key must be added in both places.
 */
const QUERY_KEYS = [
  'kind',
  'group',
  'ext',
  'path',
  'tag',
  'hash',
  'size',
  'modified',
  'created',
  'taken',
  'camera',
  'is',
  'has',
  'library',
  'year',
  'owner',
  'readable-by',
  'writable-by',
  'perm-changed',
] as const;

interface QueryToken {
  start: number;
  end: number;
  text: string;
  /** "modified" in modified:2022..2024; absent for a plain word. */
  key?: string;
  value?: string;
  negated: boolean;
  /** AND, OR, NOT and parentheses. */
  operator: boolean;
}

/** A parenthesis inside a word is part of it, as in `copy(2).jpg`. In quotes, a backslash stands before a quote. */
const TOKEN =
  /([-!]?)(?:([a-z][a-z-]*(?:\.[\w.*]+)?)(?::|(?=[<>]))((?:[<>]=?|=)?(?:"(?:[^"\\]|\\.?)*"?|(?:[^\s()]|\([^\s()]*\))+))?|("(?:[^"\\]|\\.?)*"?)|([()])|([^\s()]+(?:\([^\s()]*\)[^\s()]*)*))/gis;

/** Keys of ranges, where the colon may be left out: `size>10m`. */
const COMPARABLE = /^(?:size|year|modified|created|taken|meta\..+)$/i;

function knownKey(key: string): boolean {
  const low = key.toLowerCase();
  return (QUERY_KEYS as readonly string[]).includes(low) || low.startsWith('meta.') || low.startsWith('cf.');
}

export function tokenizeQuery(q: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (const match of q.matchAll(TOKEN)) {
    const [text, sign, key, value] = match;
    const base = { start: match.index, end: match.index + text.length, text };
    const colon = text[(sign?.length ?? 0) + (key?.length ?? 0)] === ':';
    if (key && (colon ? knownKey(key) : COMPARABLE.test(key)))
      tokens.push({ ...base, key: key.toLowerCase(), value: (value ?? '').replaceAll('"', ''), negated: sign !== '', operator: false });
    else tokens.push({ ...base, negated: sign !== '' && text.length > 1, operator: /^(AND|OR|NOT|[()])$/.test(text) });
  }
  return tokens;
}

/** The words of a query, for highlighting where the response has no highlights. */
export function plainWords(q: string): string[] {
  return tokenizeQuery(q)
    .filter((t) => !t.key && !t.operator && !t.negated)
    .map((t) => t.text.replaceAll('"', ''))
    .filter(Boolean);
}

/** Removes operators without operands and empty parentheses. */
function removeDangling(parts: string[]): string[] {
  const joins = (text: string | undefined) => text === 'AND' || text === 'OR';
  const kept = parts.filter((text, i) => {
    const before = parts[i - 1];
    const after = parts[i + 1];
    if (joins(text)) return before !== undefined && after !== undefined && before !== '(' && after !== ')' && !joins(after);
    if (text === 'NOT') return after !== undefined && after !== ')' && !joins(after);
    if (text === '(') return after !== ')';
    return !(text === ')' && before === '(');
  });
  return kept.length === parts.length ? kept : removeDangling(kept);
}

/** The query without the given ranges, still valid. */
export function withoutSpans(q: string, spans: readonly { start: number; end: number }[]): string {
  const left = tokenizeQuery(q).filter((token) => !spans.some(({ start, end }) => token.start < end && token.end > start));
  return removeDangling(left.map((token) => token.text))
    .join(' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
    .trim();
}
