import { Route } from 'lucide-react';
import { useQueries } from '@tanstack/react-query';
import type { SearchResponse } from '../../api/types.ts';
import { pluralize, numberWord } from '../../format/numbers.ts';
import { Button, ButtonLink, LinkButton } from '../../components/button.tsx';
import { openExplain } from '../../shell/overlays.ts';
import { EmptyState } from '../../components/states.tsx';
import { search } from '../../api/search.ts';
import type { Chip } from './chips.ts';
import s from './no-results.module.css';
import { type SearchState, toParams } from './search-state.ts';

export interface Lift {
  chip: Chip;
  /** How many files the search finds without this filter; unknown while asking. */
  total: number | null;
}

/** The one filter whose removal brings most back. */
export function culprit(lifts: Lift[]): Lift | null {
  const best = [...lifts].sort((a, b) => (b.total ?? 0) - (a.total ?? 0))[0];
  return best && (best.total ?? 0) > 0 ? best : null;
}

interface NoResultsProps {
  lifts: Lift[];
  answer: SearchResponse;
  state: SearchState;
  emptyCatalog: boolean;
  /** Which libraries are being scanned, in words; '' for none. */
  scanning: string;
  onChange: (state: SearchState) => void;
}

/** Nothing found: which filter did it, what each removal brings, what may have been meant. */
export function NoResults({ lifts, answer, state, emptyCatalog, scanning, onChange }: NoResultsProps) {
  if (lifts.length === 0 && scanning)
    return (
      <EmptyState title={`${scanning}…`} actions={<ButtonLink href="#/libraries">See how far it is</ButtonLink>}>
        The first files appear here by themselves, in a moment.
      </EmptyState>
    );
  if (lifts.length === 0)
    return (
      <EmptyState title="The catalog is empty" actions={emptyCatalog && <ButtonLink href="#/libraries">Go to Libraries</ButtonLink>}>
        {emptyCatalog
          ? 'No library holds a file yet. Add one, or start its scan, under Libraries.'
          : 'No file is here for you to see. Ask an administrator for the right to a library.'}
      </EmptyState>
    );
  const worst = culprit(lifts);
  const suggestions = answer.did_you_mean;
  const title =
    lifts.length === 1
      ? 'Nothing matches this filter'
      : `Nothing matches ${lifts.length === 2 ? 'both' : `all ${numberWord(lifts.length)}`} filters`;
  return (
    <div className={s.wrap}>
      <EmptyState title={title}>
        {worst ? (
          <p>
            The {worst.chip.field} filter empties this list:{' '}
            <b className="b">0 files with it, {pluralize(worst.total!, 'file').replace(/ files?$/, '')} without.</b>
          </p>
        ) : (
          <p>No single filter is at fault; they are too narrow together.</p>
        )}
        <div className={s.box}>
          {[...lifts]
            .sort((a, b) => (b.total ?? -1) - (a.total ?? -1))
            .map((lift) => (
              <div key={lift.chip.id} className={s.lift} data-hit={lift === worst}>
                <span className="cut">
                  <span style={{ color: 'var(--text-1)' }}>Without</span> <span className="t2">{lift.chip.field}</span>{' '}
                  <b className="b">{lift.chip.values.join(' or ')}</b>
                </span>
                <span className={lift === worst ? 'num b' : 'num muted'}>
                  {lift.total === null ? 'counting…' : pluralize(lift.total, 'file')}
                </span>
                <span className="num">
                  {lift.total ? (
                    <Button
                      size="s"
                      variant={lift === worst ? 'primary' : 'default'}
                      onClick={() => onChange(lift.chip.without)}
                      aria-label={`Remove ${lift.chip.field} ${lift.chip.values.join(' or ')}`}
                    >
                      Remove
                    </Button>
                  ) : (
                    <span className="muted meta">no change</span>
                  )}
                </span>
              </div>
            ))}
        </div>
        {suggestions.length > 0 && (
          <p style={{ marginTop: 24 }}>
            Did you mean{' '}
            {suggestions.map((text, i) => (
              <span key={text}>
                {i > 0 && ' or '}
                <LinkButton onClick={() => onChange({ ...state, q: text })}>{text}</LinkButton>
              </span>
            ))}
            ?
          </p>
        )}
        <div className={`${s.sure} row g4`}>
          <Route size={20} aria-hidden />
          <div className="grow">
            <div className="b" style={{ color: 'var(--text-1)' }}>
              Sure the file is on disk?
            </div>
            <p>Give its path and the catalog says why it is not here.</p>
          </div>
          <Button onClick={openExplain}>Explain a path…</Button>
        </div>
      </EmptyState>
    </div>
  );
}

/** When nothing is found: the same search once without each filter, to name the one at fault. */
export function useLifts(chips: Chip[], active: boolean): Lift[] {
  const answers = useQueries({
    queries: chips.map((chip) => {
      const params = { ...toParams({ ...chip.without, sort: '' }), limit: 1, facets: false };
      return {
        queryKey: ['facets', JSON.stringify(params)],
        queryFn: ({ signal }: { signal: AbortSignal }) => search(params, signal),
        enabled: active,
        staleTime: 30_000,
        retry: false,
      };
    }),
  });
  return chips.map((chip, i) => ({ chip, total: answers[i]?.data?.total ?? null }));
}
