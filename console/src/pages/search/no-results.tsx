import { useQueries } from '@tanstack/react-query';
import { Route } from 'lucide-react';
import { search } from '../../api/search.ts';
import type { SearchResponse } from '../../api/types.ts';
import { Button, ButtonLink, LinkButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { numberWord, pluralize } from '../../format/numbers.ts';
import { openExplain } from '../../shell/overlays.ts';
import type { FilterChip } from './chips.ts';
import s from './no-results.module.css';
import { type SearchState, toParams } from './search-state.ts';

interface FilterRemoval {
  chip: FilterChip;
  /** How many files match without this filter; null while it is being counted. */
  total: number | null;
}

/** The filter whose removal brings back the most files. */
export function mostRestrictive(removals: FilterRemoval[]): FilterRemoval | null {
  const best = [...removals].sort((a, b) => (b.total ?? 0) - (a.total ?? 0))[0];
  return best && (best.total ?? 0) > 0 ? best : null;
}

interface NoResultsProps {
  removals: FilterRemoval[];
  response: SearchResponse;
  state: SearchState;
  emptyCatalog: boolean;
  /** A message about running scans; '' when none runs. */
  scanning: string;
  /** How many files wait to be read. */
  unread: number;
  onChange: (state: SearchState) => void;
}

/** The empty state: how many files each filter excludes, and spelling suggestions. */
export function NoResults({ removals, response, state, emptyCatalog, scanning, unread, onChange }: NoResultsProps) {
  if (removals.length === 0 && scanning)
    return (
      <EmptyState title={`${scanning}…`} actions={<ButtonLink href="#/libraries">View progress</ButtonLink>}>
        Files appear here as they are found.
      </EmptyState>
    );
  if (removals.length === 0)
    return (
      <EmptyState title="No files yet" actions={emptyCatalog && <ButtonLink href="#/libraries">Go to Libraries</ButtonLink>}>
        {emptyCatalog
          ? 'Add a library or start a scan to see files here.'
          : 'You do not have access to any files. Ask an administrator for access to a library.'}
      </EmptyState>
    );
  const best = mostRestrictive(removals);
  const suggestions = response.did_you_mean;
  const title =
    removals.length === 1
      ? removals[0]?.chip.id === 'words'
        ? `No files contain “${removals[0].chip.values.join(' ')}”`
        : 'No files match this filter'
      : `No files match ${removals.length === 2 ? 'both' : `all ${numberWord(removals.length)}`} filters`;
  return (
    <div className={s.wrap}>
      <EmptyState title={title}>
        {best ? (
          <p>
            <b className="b">{pluralize(best.total ?? 0, 'file')}</b> {best.total === 1 ? 'matches' : 'match'} without {best.chip.field}{' '}
            {best.chip.values.join(' or ')}.
          </p>
        ) : removals.some(({ total }) => total === null) ? (
          <p>Counting what each filter excludes…</p>
        ) : (
          removals.length > 1 && <p>No single filter is the cause. Try removing more than one.</p>
        )}
        {unread > 0 && (
          <p>
            The contents of {pluralize(unread, 'file')} have not been read yet, so words inside them are not found.{' '}
            <a href="#/libraries">View progress</a>
          </p>
        )}
        <div className={s.box}>
          {[...removals]
            .sort((a, b) => (b.total ?? -1) - (a.total ?? -1))
            .map((removal) => (
              <div key={removal.chip.id} className={s.removal} data-hit={removal === best}>
                <span className="cut">
                  <span style={{ color: 'var(--text-1)' }}>Without</span> <span className="t2">{removal.chip.field}</span>{' '}
                  <b className="b">{removal.chip.values.join(' or ')}</b>
                </span>
                <span className={removal === best ? 'num b' : 'num muted'}>
                  {removal.total === null ? 'Counting…' : pluralize(removal.total, 'file')}
                </span>
                <span className="num">
                  {removal.total ? (
                    <Button
                      size="s"
                      variant={removal === best ? 'primary' : 'default'}
                      onClick={() => onChange(removal.chip.without)}
                      aria-label={`Remove ${removal.chip.field} ${removal.chip.values.join(' or ')}`}
                    >
                      Remove
                    </Button>
                  ) : (
                    <span className="muted meta">No change</span>
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
              Expected a file here?
            </div>
            <p>Enter its path to see why it is not listed.</p>
          </div>
          <Button onClick={openExplain}>Explain a path…</Button>
        </div>
      </EmptyState>
    </div>
  );
}

/** Without hits, repeats the search without each filter to count what its removal would bring back. */
export function useFilterRemovals(chips: FilterChip[], active: boolean): FilterRemoval[] {
  const responses = useQueries({
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
  return chips.map((chip, i) => ({ chip, total: responses[i]?.data?.total ?? null }));
}
