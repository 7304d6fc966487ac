/**
 * Words that are broken at the end of a line. A PDF does not say whether the hyphen belongs to the word, so the other words of the document
 * decide: `exam-` + `ple` becomes `example` if the document has that word elsewhere, and `well-` + `known` stays if it has `well-known`. Where
 * neither occurs, the more likely form replaces the broken word and the other one is added at the end of the page, so that both are found.
 */

/** A hyphen at the end of a line: pdfium writes U+FFFE and no line break. */
const broken = /([\p{L}\p{N}\p{M}]+)(?:\ufffe\r?\n?|[-\u2010\u00ad][ \t]*\r?\n[ \t]*)([\p{L}\p{N}\p{M}]+)/gu;
const maxWords = 500_000;

export function joinBrokenWords(text: string): string {
  if (!text.includes('\ufffe') && !/[-\u2010\u00ad][ \t]*\r?\n/.test(text)) return text;
  const known = vocabularyOf(text);
  return text
    .split('\f')
    .map((page) => joinPage(page, known))
    .join('\f');
}

function joinPage(page: string, known: ReadonlySet<string>): string {
  const others = new Set<string>();
  const replace = (_match: string, before: string, after: string): string => {
    const joined = before + after;
    const hyphenated = `${before}-${after}`;
    if (known.has(joined.toLowerCase())) return joined;
    const isCompound = known.has(hyphenated.toLowerCase()) || /^[\p{Lu}\p{N}]/u.test(after) || /\p{N}$/u.test(before);
    others.add(isCompound ? joined : hyphenated);
    return isCompound ? hyphenated : joined;
  };
  // Twice, because a word can be broken more than once.
  const resolved = page
    .replace(broken, replace)
    .replace(broken, replace)
    .replace(/\ufffe/g, '-');
  return others.size === 0 ? resolved : `${resolved}\n\n${[...others].join(' ')}`;
}

/** Words and hyphenated compounds within lines, in lower case. Parts of broken words are left out. */
function vocabularyOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text.replace(broken, ' ').matchAll(/[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*/gu)) {
    words.add(word.toLowerCase());
    if (words.size >= maxWords) break;
  }
  return words;
}
