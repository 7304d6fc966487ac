import type { ParsedQuery } from './ast.ts';

/** The words as the index reads them: exclusions first, so that the last word typed is still the one being typed. */
export function indexText({ words, text }: Pick<ParsedQuery, 'words' | 'text'>): string {
  const piece = ({ text: word, quoted }: { text: string; quoted: boolean }): string => {
    const clean = word.replaceAll('"', ' ').trim();
    return quoted ? `"${clean}"` : clean.replace(/^[-!]+/, '');
  };
  const pieces = [
    ...words
      .filter(({ negated }) => negated)
      .map((word) => (/\s/.test(piece(word)) ? `-"${piece(word).replaceAll('"', '')}"` : `-${piece(word)}`)),
    ...words.filter(({ negated }) => !negated).map(piece),
  ].filter((each) => each !== '' && each !== '-' && each !== '""');
  return pieces.length === 0 ? '' : pieces.join(' ') + (/\s$/u.test(text) ? ' ' : '');
}
