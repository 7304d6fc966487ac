/** A matched stretch of a text, from start (included) to end (excluded). */
export type MarkRange = [start: number, end: number];

const OPEN = /<(?:em|mark)>/g;
const BOTH = /<\/?(?:em|mark)>/g;

/** The service marks matches with em tags inside plain text. Nothing else in it is ever treated as markup. */
export function parseMarks(marked: string): { text: string; marks: MarkRange[] } {
  let text = '';
  const marks: MarkRange[] = [];
  let start = -1;
  let from = 0;
  for (const tag of marked.matchAll(BOTH)) {
    text += marked.slice(from, tag.index);
    from = tag.index + tag[0].length;
    if (tag[0].match(OPEN)) start = text.length;
    else if (start >= 0) {
      marks.push([start, text.length]);
      start = -1;
    }
  }
  text += marked.slice(from);
  return { text, marks };
}

/** The part of the marks that lies in one stretch of the text, counted from that stretch's start. */
export function wholeMarks(marks: MarkRange[] | undefined, from: number, to: number): MarkRange[] {
  return (marks ?? []).flatMap(([a, b]): MarkRange[] => {
    const start = Math.max(a, from) - from;
    const end = Math.min(b, to) - from;
    return end > start ? [[start, end]] : [];
  });
}

/** Where the words of a query occur in a text, for answers that come without marks. */
export function findMarks(text: string, words: string[]): MarkRange[] {
  const lower = text.toLowerCase();
  const found: MarkRange[] = [];
  for (const word of words) {
    const needle = word.toLowerCase();
    if (needle.length < 2 || lower.length !== text.length) continue;
    for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) found.push([at, at + needle.length]);
  }
  found.sort((a, b) => a[0] - b[0]);
  return found.filter((mark, i) => i === 0 || mark[0] >= found[i - 1]![1]);
}

export function Marked({ text, marks }: { text: string; marks: MarkRange[] }) {
  if (marks.length === 0) return text;
  const out = [];
  let from = 0;
  for (const [start, end] of marks) {
    if (start > from) out.push(text.slice(from, start));
    out.push(<mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  if (from < text.length) out.push(text.slice(from));
  return <>{out}</>;
}
