import type { SearchResponse } from '../../api/types.ts';
import { LinkButton } from '../../components/button.tsx';
import { parseHighlights } from '../../components/highlight.tsx';
import { rich } from '../../language/rich.ts';
import { correctedWords } from './corrections.ts';
import s from './search-page.module.css';
import { type SearchState, sortOf } from './search-state.ts';

/** The marked words of a hit, in its names and in its text. */
function markedWords({ highlight, snippet }: SearchResponse['hits'][number]): string[] {
  return [highlight?.title, highlight?.filename, highlight?.path, snippet].flatMap((marked) => {
    const { text, marks } = parseHighlights(marked ?? '');
    return marks.map(([start, end]) => text.slice(start, end));
  });
}

/** Says that files were found by other words than the typed ones. By relevance the first hit has the fewest typos, so it tells for all. */
export function CorrectedWords({
  state,
  response,
  onChange,
}: {
  state: SearchState;
  response: SearchResponse;
  onChange: (state: SearchState) => void;
}) {
  const best = response.hits[0];
  const corrections = best && sortOf(state) === '' ? correctedWords(state.q, markedWords(best)) : [];
  if (corrections.length === 0) return null;
  const exact = corrections.reduce((q, { typed }) => q.replace(typed, `"${typed}"`), state.q);
  return (
    <p className={s.corrected} role="status">
      {rich('Showing results for <b>{words}</b>.', {
        words: corrections.map(({ found }) => found).join(' '),
        b: (text) => <b className="b">{text}</b>,
      })}{' '}
      <LinkButton onClick={() => onChange({ ...state, q: exact })}>
        {rich('Search only for “{typed}”', { typed: corrections.map(({ typed }) => typed).join(' ') })}
      </LinkButton>
    </p>
  );
}
