/**
 * Marks matched words in stored text. The index says which of its terms matched (folded); here they are found again in the original text
 * by folding each run of letters and digits and keeping a map back. The text is escaped, so the result is safe to show as HTML.
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

/** About thirty words around the first place with the most different matches, marked; null when none is there. */
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
        .map(([from, to]) => fold(text.slice(from, to))),
    ).size;
    if (inside > most) [best, most] = [at, inside];
  }
  const centre = ranges[best]![0];
  let from = Math.max(0, centre - Math.floor(characters / 3));
  let to = Math.min(text.length, from + characters);
  while (from > 0 && /\S/.test(text[from - 1]!) && centre - from < characters) from -= 1;
  while (to < text.length && /\S/.test(text[to]!) && to - from < characters * 1.3) to += 1;
  const cut = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '… ' : ''}${markMatches(cut, terms)}${to < text.length ? ' …' : ''}`;
}

function matchRanges(text: string, terms: readonly string[], most = 10_000): [number, number][] {
  const wanted = terms.length === 1 ? terms.filter(Boolean) : [...new Set(terms)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return [];
  // Plain text folds to itself in small letters: no map is needed, and one pass finds all.
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

/** The hits of one search match the same few words again and again. */
const patterns = new Map<string, RegExp>();
const mostPatterns = 200;

function patternOf(wanted: readonly string[]): RegExp {
  const key = wanted.length === 1 ? wanted[0]! : wanted.join('\0');
  let pattern = patterns.get(key);
  if (!pattern) {
    pattern = new RegExp(wanted.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi');
    if (patterns.size >= mostPatterns) patterns.clear();
    patterns.set(key, pattern);
  }
  pattern.lastIndex = 0;
  return pattern;
}

function plainRanges(text: string, wanted: readonly string[], most: number): [number, number][] {
  const pattern = patternOf(wanted);
  const ranges: [number, number][] = [];
  for (let match = pattern.exec(text); match && ranges.length < most; match = pattern.exec(text))
    ranges.push([match.index, match.index + match[0].length]);
  return ranges;
}

const special: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th', ı: 'i' };

export function fold(text: string): string {
  return foldWithMap(text).folded;
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
