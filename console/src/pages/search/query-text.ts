/** The keys of the filter language, for the tint in the box and the chips below it. The service alone decides what a query means. */
export const QUERY_KEYS = [
  'kind',
  'group',
  'ext',
  'path',
  'tag',
  'hash',
  'size',
  'modified',
  'created',
  'is',
  'has',
  'library',
  'year',
] as const;

export interface QueryToken {
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

const TOKEN = /([-!]?)(?:([a-z]+(?:\.[\w.*]+)?):((?:[<>]=?|=)?(?:"[^"]*"?|[^\s()]+))?|("[^"]*"?)|([()])|([^\s()]+))/gi;

function knownKey(key: string): boolean {
  const low = key.toLowerCase();
  return (QUERY_KEYS as readonly string[]).includes(low) || low.startsWith('meta.') || low.startsWith('cf.');
}

export function tokenize(q: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (const match of q.matchAll(TOKEN)) {
    const [text, sign, key, value] = match;
    const base = { start: match.index, end: match.index + text.length, text };
    if (key && knownKey(key))
      tokens.push({ ...base, key: key.toLowerCase(), value: (value ?? '').replaceAll('"', ''), negated: sign !== '', operator: false });
    else tokens.push({ ...base, negated: sign !== '' && text.length > 1, operator: /^(AND|OR|NOT|[()])$/.test(text) });
  }
  return tokens;
}

/** The plain words of a query, for marking them where the answer brings no marks. */
export function plainWords(q: string): string[] {
  return tokenize(q)
    .filter((t) => !t.key && !t.operator && !t.negated)
    .map((t) => t.text.replaceAll('"', ''))
    .filter(Boolean);
}

/** Operators that have lost what they stood beside, and parentheses around nothing, go too. */
function tidied(parts: string[]): string[] {
  const joins = (text: string | undefined) => text === 'AND' || text === 'OR';
  const kept = parts.filter((text, i) => {
    const before = parts[i - 1];
    const after = parts[i + 1];
    if (joins(text)) return before !== undefined && after !== undefined && before !== '(' && after !== ')' && !joins(after);
    if (text === 'NOT') return after !== undefined && after !== ')' && !joins(after);
    if (text === '(') return after !== ')';
    return !(text === ')' && before === '(');
  });
  return kept.length === parts.length ? kept : tidied(kept);
}

/** The query without some stretches, with everything closed again that stood around them. */
export function withoutSpans(q: string, spans: readonly { start: number; end: number }[]): string {
  const left = tokenize(q).filter((token) => !spans.some(({ start, end }) => token.start < end && token.end > start));
  return tidied(left.map((token) => token.text))
    .join(' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
    .trim();
}
