export interface Sheet {
  name: string;
  rows: string[][];
  /** There are more rows than these. */
  truncated: boolean;
}

/** More rows would make the page slow. */
export const MAX_ROWS = 1000;
const MAX_COLUMNS = 200;

/** The delimiter that occurs most often in the first line, outside quotes. */
function sniffDelimiter(text: string): string {
  const line =
    text
      .slice(0, 10_000)
      .split('\n', 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? '';
  const counted = [',', ';', '\t', '|'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counted.sort((a, b) => b.count - a.count)[0]?.mark ?? ',';
}

/** Rows and cells of delimited text (RFC 4180, with any delimiter). */
export function readDelimited(text: string, delimiter = sniffDelimiter(text)): Sheet {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    if (row.length < MAX_COLUMNS) row.push(cell);
    cell = '';
  };
  let at = 0;
  for (; at < text.length && rows.length < MAX_ROWS; at += 1) {
    const char = text[at] ?? '';
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === delimiter) endCell();
    else if (char === '\n') {
      endCell();
      rows.push(row);
      row = [];
    } else if (char !== '\r') cell += char;
  }
  if (at >= text.length && (cell !== '' || row.length > 0)) {
    endCell();
    rows.push(row);
  }
  return { name: '', rows, truncated: at < text.length };
}
