import { findMarks, type MarkRange } from '../../parts/marked.tsx';

export interface Match {
  /** Place in the whole text. */
  at: number;
  page: number | null;
  text: string;
  marks: MarkRange[];
}

const BEFORE = 48;
const AFTER = 64;

/** The text of a file, when the answer brings it. */
export function bodyOf(metadata: Record<string, unknown>): string | null {
  const body = metadata['body_text'] ?? metadata['ocr_text'];
  return typeof body === 'string' && body ? body : null;
}

/** Every place where the words occur, with a little around it; pages are known when the text has page breaks. */
export function matchesIn(body: string, words: string[]): Match[] {
  const breaks = [...body.matchAll(/\f/g)].map((m) => m.index);
  const paged = breaks.length > 0;
  return findMarks(body, words).map(([start, end]) => {
    const from = Math.max(0, start - BEFORE);
    const to = Math.min(body.length, end + AFTER);
    return {
      at: start,
      page: paged ? breaks.filter((b) => b < start).length + 1 : null,
      text: body.slice(from, to).replace(/\s/g, ' '),
      marks: [[start - from, end - from]],
    };
  });
}
