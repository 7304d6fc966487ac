import { useEffect, useMemo, useState } from 'react';
import type { Item } from '../../api/types.ts';
import { type Match, matchesIn } from './matches.ts';
import { type ItemText, useText } from './use-text.ts';

/** A file being read: its text, every place of the searched words in it, and the one looked at. */
export interface Reading {
  text: ItemText | null;
  /** The text is on its way. */
  waiting: boolean;
  error: unknown;
  /** What was searched for. */
  words: string[];
  matches: Match[];
  match: number;
  /** Counts up each time somebody asks for a match, so that the view follows even to the same one. */
  asked: number;
  show: (index: number) => void;
  /** On to the next or back; false when there is none. */
  step: (by: number) => boolean;
}

export function useReading(item: Item | undefined, words: string[], { first = 0, wanted = true } = {}): Reading {
  const { data, isLoading, error } = useText(item, wanted);
  const text = data ?? null;
  const matches = useMemo(() => (text ? matchesIn(text.text, words) : []), [text, words]);
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
