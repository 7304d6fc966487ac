/**
 * The distinct words of a text: runs of letters and digits in lower case. Search finds a document by them, however often they occur. A soft
 * hyphen inside a word is invisible.
 */
export function distinctWords(text: string): Set<string> {
  return new Set(
    text
      .normalize('NFKC')
      .replaceAll('\u00ad', '')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [],
  );
}

export interface Recall {
  found: number;
  words: number;
  missing: string[];
}

/** How many of the words that a reference tool finds in a file are in the text of our reader. */
export function wordRecall(reference: string, text: string): Recall {
  const words = distinctWords(withoutUndecoded(reference));
  const ours = distinctWords(text);
  const missing = [...words].filter((word) => !ours.has(word));
  return { found: words.size - missing.length, words: words.size, missing };
}

/** Words in which the reference itself shows that it could not decode them: replacement characters, also decoded a second time. */
function withoutUndecoded(text: string): string {
  return text.replace(/\S*(?:\ufffd|ï¿½|пїЅ)\S*/g, ' ');
}
