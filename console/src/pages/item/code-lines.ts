import type { CodeToken } from './code-tokens.ts';

/** A piece of a line: its colour, and the match it belongs to. */
export interface CodePiece {
  text: string;
  kind: string | null;
  match: number | null;
}

interface Marked {
  at: number;
  end: number;
}

/** Splits source code into lines, and each line where a colour or a match starts or ends. */
export function codeLines(text: string, tokens: readonly CodeToken[], matches: readonly Marked[]): CodePiece[][] {
  const lines: CodePiece[][] = [];
  let token = 0;
  let match = 0;
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const pieces: CodePiece[] = [];
    for (let at = start; at < end; ) {
      while ((tokens[token]?.end ?? Number.POSITIVE_INFINITY) <= at) token += 1;
      while ((matches[match]?.end ?? Number.POSITIVE_INFINITY) <= at) match += 1;
      const [coloured, marked] = [tokens[token], matches[match]];
      const inToken = coloured !== undefined && coloured.start <= at;
      const inMatch = marked !== undefined && marked.at <= at;
      const to = Math.min(
        end,
        coloured ? (inToken ? coloured.end : coloured.start) : end,
        marked ? (inMatch ? marked.end : marked.at) : end,
      );
      pieces.push({ text: text.slice(at, to), kind: inToken ? coloured.kind : null, match: inMatch ? match : null });
      at = to;
    }
    lines.push(pieces);
    start = end + 1;
  }
  return lines;
}
