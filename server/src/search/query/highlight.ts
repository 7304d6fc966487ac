// biome-ignore-all lint/style/noNonNullAssertion: every index comes from a search in the same text or array
/**
 * Marks matched words in stored text. The index returns the matched terms case-folded; they are located in the original text by folding each
 * word with a map of positions. The text is escaped, so the result is safe HTML.
 */
export function markMatches(text: string, terms: readonly string[]): string {
  if (terms.length === 0) return escapeHtml(text);
  let out = '';
  let at = 0;
  for (const [start, end] of matchRanges(text, terms)) {
    out += `${escapeHtml(text.slice(at, start))}<em>${escapeHtml(text.slice(start, end))}</em>`;
    at = end;
  }
  return out + escapeHtml(text.slice(at));
}

/**
 * `…` as an HTML entity, because a snippet is HTML anyway. The character itself is not in Latin-1, so that the string of the whole response
 * would take two bytes per character and several times longer to encode.
 */
const ellipsis = '&#8230;';

/** About thirty words around the position with the most distinct matches, marked; null without a match. */
export function cutSnippet(text: string, terms: readonly string[], characters = 220): string | null {
  const ranges = matchRanges(text, terms, 400);
  if (ranges.length === 0) return null;
  let best = 0;
  let most = 0;
  for (const [at, [start]] of ranges.entries()) {
    const inside = new Set(
      ranges
        .slice(at)
        .filter(([from]) => from < start + characters)
        .map(([from, to]) => foldText(text.slice(from, to))),
    ).size;
    if (inside > most) [best, most] = [at, inside];
  }
  const centre = ranges[best]![0];
  let from = Math.max(0, centre - Math.floor(characters / 3));
  let to = Math.min(text.length, from + characters);
  while (from > 0 && /\S/.test(text[from - 1]!) && centre - from < characters) from -= 1;
  while (to < text.length && /\S/.test(text[to]!) && to - from < characters * 1.3) to += 1;
  const cut = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? `${ellipsis} ` : ''}${markMatches(cut, terms)}${to < text.length ? ` ${ellipsis}` : ''}`;
}

/** The beginning of a text, without marks. */
export function cutOpening(text: string, characters = 220): string {
  const cut = text.slice(0, characters).replace(/\s+/g, ' ').trim();
  return `${escapeHtml(cut)}${text.length > characters ? ` ${ellipsis}` : ''}`;
}

function matchRanges(text: string, terms: readonly string[], most = 10_000): [number, number][] {
  const wanted = terms.length === 1 ? terms.filter(Boolean) : [...new Set(terms)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return [];
  // ASCII text keeps its positions when lower-cased, so no map is needed.
  if (isPlain(text)) return plainRanges(text, wanted, most);
  const ranges: [number, number][] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+[+#]*/gu)) {
    const { folded, map } = foldWithMap(match[0]);
    for (let from = 0; from < folded.length; ) {
      const found = wanted
        .map((term) => ({ term, at: folded.indexOf(term, from) }))
        .filter(({ at }) => at >= 0)
        .sort((a, b) => a.at - b.at || b.term.length - a.term.length)[0];
      if (!found) break;
      ranges.push([match.index + map[found.at]!, match.index + map[found.at + found.term.length]!]);
      from = found.at + found.term.length;
    }
    if (ranges.length >= most) break;
  }
  return ranges;
}

function isPlain(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

/** Matches from left to right; where several start at one position, the longest first. */
function plainRanges(text: string, wanted: readonly string[], most: number): [number, number][] {
  const small = text.toLowerCase();
  const ranges: [number, number][] = [];
  const next = wanted.map((term) => small.indexOf(term));
  for (let from = 0; ranges.length < most; ) {
    let first = -1;
    for (const [term, word] of wanted.entries()) {
      if (next[term]! >= 0 && next[term]! < from) next[term] = small.indexOf(word, from);
      if (next[term]! >= 0 && (first < 0 || next[term]! < next[first]!)) first = term;
    }
    if (first < 0) break;
    from = next[first]! + wanted[first]!.length;
    ranges.push([next[first]!, from]);
  }
  return ranges;
}

const special: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th', ı: 'i' };

function foldText(text: string): string {
  return isPlain(text) ? text.toLowerCase() : foldWithMap(text).folded;
}

function foldWithMap(text: string): { folded: string; map: number[] } {
  let folded = '';
  const map: number[] = [];
  let at = 0;
  for (const character of text) {
    const lower = character
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase();
    const plain = [...lower].map((each) => special[each] ?? each).join('');
    for (let n = 0; n < plain.length; n += 1) map.push(at);
    folded += plain;
    at += character.length;
  }
  map.push(at);
  return { folded, map };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
