import { useEffect, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Item } from '../../api/types.ts';
import { fileUrl, itemText } from '../../api/catalog.ts';
import { Problem } from '../../api/problem.ts';
import { transport } from '../../api/client.ts';
import { findRanges, type MatchRange } from '../../components/highlight.tsx';

export interface TextMatch {
  /** Place in the whole text. */
  at: number;
  end: number;
  page: number | null;
  text: string;
  marks: MatchRange[];
}

const BEFORE = 48;
const AFTER = 64;
/** Beyond this many places a list helps nobody. */
const MOST = 2_000;

/** A cut never tears a word apart: it moves back towards the match, unless one word fills all the room there is. */
function wholeWords(body: string, [from, to]: MatchRange, [start, end]: MatchRange, edges: MatchRange): MatchRange {
  const head = from > edges[0] ? body.slice(from - 1, start).search(/\s/) : 0;
  const tail = to < edges[1] ? body.slice(end, to + 1).search(/\s\S*$/) : -1;
  return [from + Math.max(0, head), tail >= 0 ? end + tail : to];
}

/** Every place where the words occur, with a little around it; pages are known when the text has page breaks. */
export function findTextMatches(body: string, words: string[]): TextMatch[] {
  const breaks = [...body.matchAll(/\f/g)].map((m) => m.index);
  const paged = breaks.length > 0;
  let page = 1;
  return findRanges(body, words)
    .slice(0, MOST)
    .map(([start, end]) => {
      while (page <= breaks.length && breaks[page - 1]! < start) page += 1;
      // What stands around a match is of its own page.
      const edges: MatchRange = [page > 1 ? breaks[page - 2]! + 1 : 0, breaks[page - 1] ?? body.length];
      const room: MatchRange = [Math.max(edges[0], start - BEFORE), Math.min(edges[1], end + AFTER)];
      const [from, to] = wholeWords(body, room, [start, end], edges);
      return {
        at: start,
        end,
        page: paged ? page : null,
        text: body.slice(from, to).replace(/\s/g, ' '),
        marks: [[start - from, end - from]],
      };
    });
}

/** Files that are text themselves; a browser can show them as they are. */
const PLAIN = new Set(
  'txt text md markdown rst log csv tsv json jsonl ndjson xml yaml yml toml ini cfg conf env html htm xhtml css scss less js mjs cjs jsx ts tsx py rb go rs c h cc cpp hpp java kt swift php pl lua sh bash zsh fish ps1 bat sql r jl m tex srt vtt nfo eml ics vcf svg'.split(
    ' ',
  ),
);

/** Enough to read and to find a match in; the rest is a download away. */
const MOST_BYTES = 512 * 1024;

export interface ItemText {
  text: string;
  /** More text exists than is kept here. */
  truncated: boolean;
  /** Where the words come from: the file itself, recognition in a picture, subtitles. */
  source: string;
}

/** The text of a file: as the service extracted it, or the beginning of a plain text file read through the caller's rights. Null when there is none. */
export function useItemText(item: Item | undefined, wanted = true) {
  const plain = item !== undefined && item.status === 'active' && item.size > 0 && PLAIN.has((item.extension ?? '').toLowerCase());
  return useQuery({
    queryKey: ['item', item?.id, 'text'],
    queryFn: async ({ signal }): Promise<ItemText | null> => {
      if (item!.has_text) {
        try {
          return await itemText(item!.id, signal);
        } catch (error) {
          // None kept, or not for this account: the file itself may still be readable.
          if (!(error instanceof Problem && [403, 404].includes(error.status))) throw error;
        }
      }
      return plain ? readBeginning(item!, signal) : null;
    },
    enabled: wanted && item !== undefined && (item.has_text || plain),
    staleTime: 60_000,
    retry: false,
  });
}

async function readBeginning(item: Item, signal: AbortSignal): Promise<ItemText> {
  const answer = await transport(
    new Request(new URL(fileUrl(item.id), location.origin), { headers: { range: `bytes=0-${MOST_BYTES - 1}` }, signal }),
  );
  const encoding = typeof item.metadata['encoding'] === 'string' ? item.metadata['encoding'] : 'utf-8';
  return { text: decode(await answer.arrayBuffer(), encoding), truncated: item.size > MOST_BYTES, source: 'body' };
}

function decode(bytes: ArrayBuffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** A file being read: its text, every place of the searched words in it, and the one looked at. */
export interface TextMatches {
  text: ItemText | null;
  /** The text is on its way. */
  waiting: boolean;
  error: unknown;
  /** What was searched for. */
  words: string[];
  matches: TextMatch[];
  match: number;
  /** Counts up each time somebody asks for a match, so that the view follows even to the same one. */
  asked: number;
  show: (index: number) => void;
  /** On to the next or back; false when there is none. */
  step: (by: number) => boolean;
}

export function useTextMatches(item: Item | undefined, words: string[], { first = 0, wanted = true } = {}): TextMatches {
  const { data, isLoading, error } = useItemText(item, wanted);
  const text = data ?? null;
  const matches = useMemo(() => (text ? findTextMatches(text.text, words) : []), [text, words]);
  const [at, setAt] = useState({ match: first, asked: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file begins at its first match
  useEffect(() => setAt({ match: first, asked: 0 }), [item?.id]);
  const show = (index: number) => setAt((now) => ({ match: index, asked: now.asked + 1 }));
  return {
    text,
    waiting: isLoading,
    error,
    words,
    matches,
    match: Math.min(at.match, Math.max(0, matches.length - 1)),
    asked: at.asked,
    show,
    step: (by) => {
      if (matches.length === 0) return false;
      show((Math.min(at.match, matches.length - 1) + by + matches.length) % matches.length);
      return true;
    },
  };
}
