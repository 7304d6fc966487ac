/** The texts of an item as they are stored. */
interface StoredTexts {
  body: string | null;
  ocr: string | null;
}

/**
 * The text that is shown, and divided into passages. The longer of embedded and recognised text is preferred, because scanned pages often
 * contain a line or two of embedded text. Positions of passages refer to this text.
 */
export function sourceText({ body, ocr }: StoredTexts): { text: string; source: 'body' | 'ocr' } | null {
  const [own, recognised] = [trimmed(body), trimmed(ocr)];
  if (recognised.length > own.length) return { text: recognised, source: 'ocr' };
  return own === '' ? null : { text: own, source: 'body' };
}

/** Form feeds at the start are kept, because they count empty pages. */
function trimmed(text: string | null): string {
  const end = text?.trimEnd() ?? '';
  return end.replace(/^[^\S\f]+/, '');
}
