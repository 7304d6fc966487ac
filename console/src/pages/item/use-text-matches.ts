import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { fileUrl, itemText } from '../../api/catalog.ts';
import { transport } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import type { Item } from '../../api/types.ts';
import { findRanges, type MatchRange } from '../../components/highlight.tsx';

export interface TextMatch {
  /** Position in the text. */
  at: number;
  end: number;
  page: number | null;
  text: string;
  marks: MatchRange[];
}

/** Characters of context around a match. */
const BEFORE = 48;
const AFTER = 64;
const MAX_MATCHES = 2_000;

/** Shortens the context of a match to whole words, unless one word fills it. */
function trimToWords(body: string, [from, to]: MatchRange, [start, end]: MatchRange, edges: MatchRange): MatchRange {
  const head = from > edges[0] ? body.slice(from - 1, start).search(/\s/) : 0;
  const tail = to < edges[1] ? body.slice(end, to + 1).search(/\s\S*$/) : -1;
  return [from + Math.max(0, head), tail >= 0 ? end + tail : to];
}

/** All occurrences of the words with some context. Page numbers are known if the text has page breaks. */
export function findTextMatches(body: string, words: string[]): TextMatch[] {
  const breaks = [...body.matchAll(/\f/g)].map((m) => m.index);
  const paged = breaks.length > 0;
  let page = 1;
  return findRanges(body, words)
    .slice(0, MAX_MATCHES)
    .map(([start, end]) => {
      while ((breaks[page - 1] ?? Number.POSITIVE_INFINITY) < start) page += 1;
      // The context does not cross a page break.
      const edges: MatchRange = [(breaks[page - 2] ?? -1) + 1, breaks[page - 1] ?? body.length];
      const context: MatchRange = [Math.max(edges[0], start - BEFORE), Math.min(edges[1], end + AFTER)];
      const [from, to] = trimToWords(body, context, [start, end], edges);
      return {
        at: start,
        end,
        page: paged ? page : null,
        text: body.slice(from, to).replace(/\s/g, ' '),
        marks: [[start - from, end - from]],
      };
    });
}

/** Extensions of plain text files, which are shown even if no text was extracted. */
const TEXT_EXTENSIONS = new Set(
  'txt text md markdown rst log csv tsv json jsonl ndjson xml yaml yml toml ini cfg conf env html htm xhtml css scss less js mjs cjs jsx ts tsx py rb go rs c h cc cpp hpp java kt swift php pl lua sh bash zsh fish ps1 bat sql r jl m tex srt vtt nfo eml ics vcf svg'.split(
    ' ',
  ),
);

export const isPlainText = (item: Item): boolean =>
  item.status === 'active' && item.size > 0 && TEXT_EXTENSIONS.has((item.extension ?? '').toLowerCase());

/** How much of a plain text file is loaded. */
const MAX_BYTES = 512 * 1024;

interface ItemText {
  text: string;
  /** The file has more text than this. */
  truncated: boolean;
  /** Where the text comes from: `body`, `ocr`, `subtitles` or `members`. */
  source: string;
}

/** The beginning of a plain text file, or the extracted text of another one. Null if it has neither or the user may read neither. */
function useItemText(item: Item | undefined, wanted = true) {
  const plain = item?.may_download && isPlainText(item);
  const stored = item?.may_read_content && item.has_text;
  // The text of a document on another machine is read when somebody opens it, if the agent has not sent it.
  const remote = item?.may_read_content && item.source_agent_id !== null && item.status === 'active' && item.file_category === 'document';
  return useQuery({
    queryKey: ['item', item?.id, 'text'],
    queryFn: async ({ signal }): Promise<ItemText | null> => {
      if (!item) return null;
      let unopened: unknown = null;
      // The extracted text of a plain text file has lost its indentation.
      if (plain) {
        try {
          return await readBeginning(item, signal);
        } catch (error) {
          // The catalog has its text even if the file is gone or its machine is not connected.
          if (!(error instanceof Problem && stored)) throw error;
          unopened = error;
        }
      }
      if (stored || remote) {
        try {
          return await itemText(item.id, signal);
        } catch (error) {
          if (!(error instanceof Problem && [403, 404].includes(error.status))) throw error;
        }
      }
      if (unopened) throw unopened;
      return null;
    },
    enabled: wanted && Boolean(stored || plain || remote),
    staleTime: 60_000,
    retry: false,
  });
}

async function readBeginning(item: Item, signal: AbortSignal): Promise<ItemText> {
  const response = await transport(
    new Request(new URL(fileUrl(item.id), location.origin), { headers: { range: `bytes=0-${MAX_BYTES - 1}` }, signal }),
  );
  const encoding = typeof item.metadata['encoding'] === 'string' ? item.metadata['encoding'] : 'utf-8';
  return { text: decode(await response.arrayBuffer(), encoding).replace(/\r\n?/g, '\n'), truncated: item.size > MAX_BYTES, source: 'body' };
}

function decode(bytes: ArrayBuffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    // The browser does not know the encoding.
    return new TextDecoder().decode(bytes);
  }
}

/** The text of a file, the matches of the query words in it, and the current match. */
export interface TextMatches {
  text: ItemText | null;
  loading: boolean;
  /** Why there is no text although the file has one. */
  error: unknown;
  /** The query words. */
  words: string[];
  matches: TextMatch[];
  match: number;
  /** Increases with every `goTo`, so that the preview scrolls even to the match that is already current. */
  jumps: number;
  goTo: (index: number) => void;
  /** Goes to the next or previous match; false if there are none. */
  step: (by: number) => boolean;
}

export function useTextMatches(item: Item | undefined, words: string[], { first = 0, wanted = true } = {}): TextMatches {
  const { data, isLoading, error } = useItemText(item, wanted);
  const text = data ?? null;
  const matches = useMemo(() => (text ? findTextMatches(text.text, words) : []), [text, words]);
  const [at, setAt] = useState({ match: first, jumps: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file starts at its first match
  useEffect(() => setAt({ match: first, jumps: 0 }), [item?.id]);
  const goTo = (index: number) => setAt((now) => ({ match: index, jumps: now.jumps + 1 }));
  return {
    text,
    loading: isLoading,
    error,
    words,
    matches,
    match: Math.min(at.match, Math.max(0, matches.length - 1)),
    jumps: at.jumps,
    goTo,
    step: (by) => {
      if (matches.length === 0) return false;
      goTo((Math.min(at.match, matches.length - 1) + by + matches.length) % matches.length);
      return true;
    },
  };
}
