/** An independent implementation of RULES.md §1 and §2 with regular expressions. It shares no code with the engine. */

interface PlainToken {
  term: string;
  position: number;
  extra: boolean;
}

const unspaced = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';
const mergeIterators = new RegExp(`(?!\\p{Mn})[${unspaced}](?:[${unspaced}]|\\p{Mn})*|(?:(?!(?!\\p{Mn})[${unspaced}])[\\s\\S])+`, 'gu');
const isUnspaced = new RegExp(`^(?!\\p{Mn})[${unspaced}]`, 'u');
const borders = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{N})(?=[^\p{N}])|(?<=[^\p{N}])(?=\p{N})/u;
const folds: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th', ı: 'i', ς: 'σ' };

export function plainCaseFold(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{Mn}/gu, '');
  return Array.from(bare, (letter) => folds[letter.toLowerCase()] ?? letter.toLowerCase()).join('');
}

function cut(term: string): string {
  const kept = term.slice(0, 64);
  return kept.isWellFormed() ? kept : kept.slice(0, 63);
}

export function plainTokens(text: string): PlainToken[] {
  const tokens: PlainToken[] = [];
  let position = 0;
  const normal = text.normalize('NFKD');
  for (const match of normal.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const pieces = match[0].match(mergeIterators) ?? [];
    const segmented = pieces.some((piece) => isUnspaced.test(piece));
    const parts: string[] = [];
    for (const piece of pieces) {
      if (isUnspaced.test(piece)) {
        const words = new Intl.Segmenter('und', { granularity: 'word' }).segment(piece);
        parts.push(...Array.from(words, ({ segment }) => segment.replace(/\p{Mn}/gu, '')));
      } else parts.push(...piece.replace(/\p{Mn}/gu, '').split(borders));
    }
    const bare = match[0].replace(/\p{Mn}/gu, '');
    const suffix = /^(?:\+\+|#)/.exec(normal.slice(match.index + match[0].length))?.[0] ?? '';
    const lastPiece = pieces.at(-1) ?? '';
    const special = /[^\p{N}]$/u.test(bare) && !isUnspaced.test(lastPiece) ? suffix : '';
    const terms = parts.filter((part) => part !== '').map(plainCaseFold);
    const first = position;
    for (const [place, term] of terms.entries()) {
      const ending = place === terms.length - 1 ? special : '';
      tokens.push({ term: cut(term + ending), position, extra: false });
      if (ending !== '' && cut(term + ending) !== term) tokens.push({ term, position, extra: true });
      position++;
    }
    const whole = terms.join('');
    const wholes = special === '' ? [whole] : [whole + special, whole];
    if (terms.length > 1 && !segmented)
      for (const term of wholes) if (term.length <= 40) tokens.push({ term, position: first, extra: true });
  }
  return tokens;
}

export interface PlainQuery {
  /** In query order. A phrase has several terms, or one that was quoted. */
  parts: { terms: string[]; phrase: boolean; prefix: boolean }[];
  exclusions: string[][];
}

const terms = (text: string) =>
  plainTokens(text)
    .filter((token) => !token.extra)
    .map((token) => token.term);

export function plainQuery(text: string, prefix: boolean): PlainQuery {
  const query: PlainQuery = { parts: [], exclusions: [] };
  let last = 'ignored' as 'word' | 'phrase' | 'exclusion' | 'ignored';
  let at = 0;
  const take = (raw: string, phrase: boolean, excluded: boolean) => {
    const found = terms(raw);
    if (found.length === 0) return;
    if (excluded) {
      if (query.exclusions.length < 10) query.exclusions.push(found);
      last = 'exclusion';
    } else if (phrase) {
      if (query.parts.length < 10) query.parts.push({ terms: found.slice(0, 64), phrase: true, prefix: false });
      last = 'phrase';
    } else {
      for (const term of found) {
        last = query.parts.length < 10 ? 'word' : 'ignored';
        if (query.parts.length < 10) query.parts.push({ terms: [term], phrase: false, prefix: false });
      }
    }
  };
  while (at < text.length) {
    if (/\s/u.test(text[at]!)) {
      at++;
      continue;
    }
    const excluded = text[at] === '-' && (at === 0 || /\s/u.test(text[at - 1]!)) && at + 1 < text.length && !/\s/u.test(text[at + 1]!);
    if (excluded) at++;
    if (text[at] === '"') {
      const close = text.indexOf('"', at + 1);
      const end = close === -1 ? text.length : close;
      take(text.slice(at + 1, end), true, excluded);
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && !/[\s"]/u.test(text[end]!)) end++;
      take(text.slice(at, end), false, excluded);
      at = end;
    }
  }
  if (prefix && last === 'word' && !/\s$/u.test(text)) query.parts.at(-1)!.prefix = true;
  return query;
}
