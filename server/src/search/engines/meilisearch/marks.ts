/** Marks that no text holds, around matched words in the server's answers. */
export const openMark = '\u{e000}';
export const closeMark = '\u{e001}';

/** The words the server marked, folded as the highlighter expects them, by field. */
export function markedTerms(formatted: Record<string, unknown>, fields: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const field of fields) {
    const text = Array.isArray(formatted[field]) ? formatted[field].join(' ') : formatted[field];
    if (typeof text !== 'string') continue;
    const words = [...text.matchAll(new RegExp(`${openMark}([^${closeMark}]+)${closeMark}`, 'gu'))].map(([, word]) => fold(word!));
    if (words.length > 0) found[field] = [...new Set(words)];
  }
  return found;
}

function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
