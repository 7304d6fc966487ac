import { useQueries } from '@tanstack/react-query';
import { Route } from 'lucide-react';
import { search } from '../../api/search.ts';
import type { SearchResponse } from '../../api/types.ts';
import { Button, ButtonLink, LinkButton } from '../../components/button.tsx';
import { EmptyState, NoAccess } from '../../components/states.tsx';
import { orList } from '../../format/lists.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { openExplain } from '../../shell/overlays.ts';
import type { FilterChip } from './chips.ts';
import { chipText } from './chips.ts';
import { FolderOffer } from './folder-offer.tsx';
import s from './no-results.module.css';
import { type SearchState, toParams, withoutClauses } from './search-state.ts';

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
  /** The person may add libraries, so an empty catalog is theirs to fill. */
  mayAddLibraries: boolean;
  /** There is no library that the person can see. */
  noLibraries: boolean;
  /** A message about running scans; '' when none runs. */
  scanning: string;
  /** How many files wait to be read. */
  unread: number;
  onChange: (state: SearchState) => void;
}

/** The empty state: how many files each filter excludes, and spelling suggestions. */
export function NoResults({ removals, response, state, mayAddLibraries, noLibraries, scanning, unread, onChange }: NoResultsProps) {
  if (removals.length === 0 && scanning)
    return (
      <EmptyState title={`${scanning}…`} actions={<ButtonLink href="#/libraries">{t('View progress')}</ButtonLink>}>
        {t('Files appear here as they are found.')}
      </EmptyState>
    );
  if (removals.length === 0 && noLibraries && !mayAddLibraries) return <NoAccess />;
  if (removals.length === 0)
    return (
      <EmptyState title={t('No files yet')} actions={mayAddLibraries && <ButtonLink href="#/libraries">{t('Go to Libraries')}</ButtonLink>}>
        {mayAddLibraries ? t('Add a library or start a scan to see files here.') : t('Files appear here as they are found.')}
      </EmptyState>
    );
  const best = mostRestrictive(removals);
  const suggestions = response.did_you_mean;
  const folder = removals.find(({ chip }) => /^path\d*$/.test(chip.id))?.chip;
  const unsearchable = response.emptied_by.find(({ filter }) => filter === 'words');
  const title = unsearchable
    ? t('“{words}” cannot be searched for', { words: unsearchable.value })
    : removals.length === 1
      ? removals[0]?.chip.id === 'words'
        ? t('No files contain “{values}”', { values: removals[0].chip.values.join(' ') })
        : t('No files match this filter')
      : removals.length === 2
        ? t('No files match both filters')
        : t('No files match all {n} filters', { n: removals.length });
  return (
    <div className={s.wrap}>
      <EmptyState title={title}>
        {best ? (
          <p>
            {rich('<b>{n|# file|# files}</b> {n|matches|match} without {filter}.', {
              n: best.total ?? 0,
              b: (text) => <b className="b">{text}</b>,
              filter: chipText(best.chip),
            })}
          </p>
        ) : removals.some(({ total }) => total === null) ? (
          <p>{t('Counting what each filter excludes…')}</p>
        ) : (
          removals.length > 1 && <p>{t('No single filter is the cause. Try removing more than one.')}</p>
        )}
        {unsearchable && <p>{t('Only letters and digits are searched. Enter a word or a number.')}</p>}
        {unread > 0 && !unsearchable && (
          <p>
            {rich(
              'The contents of {unread|# file|# files} have not been read yet, so words inside them are not found. <link>View progress</link>',
              { unread, link: (text) => <a href="#/libraries">{text}</a> },
            )}
          </p>
        )}
        <div className={s.box}>
          {[...removals]
            .sort((a, b) => (b.total ?? -1) - (a.total ?? -1))
            .map((removal) => (
              <div key={removal.chip.id} className={s.removal} data-hit={removal === best}>
                <span className="cut">
                  <span style={{ color: 'var(--text-1)' }}>{t('Without')}</span> <span className="t2">{removal.chip.field}</span>{' '}
                  <b className="b">{orList(removal.chip.values)}</b>
                </span>
                <span className={removal === best ? 'num b' : 'num muted'}>
                  {removal.total === null ? t('Counting…') : t('{n|# file|# files}', { n: removal.total })}
                </span>
                <span className="num">
                  {removal.total ? (
                    <Button
                      size="s"
                      variant={removal === best ? 'primary' : 'default'}
                      onClick={() => onChange(removal.chip.without)}
                      aria-label={t('Remove {name}', { name: chipText(removal.chip) })}
                    >
                      {t('Remove')}
                    </Button>
                  ) : (
                    <span className="muted meta">{t('No change')}</span>
                  )}
                </span>
              </div>
            ))}
        </div>
        {folder && <FolderOffer chip={folder} onChange={onChange} />}
        {suggestions.length > 0 && (
          <p style={{ marginTop: 24 }}>
            {rich('Did you mean {suggestions}?', {
              suggestions: suggestions.map(withoutClauses).map((text, i) => (
                <span key={text}>
                  {i > 0 && ` ${t('or')} `}
                  <LinkButton onClick={() => onChange({ ...state, q: text })}>{text}</LinkButton>
                </span>
              )),
            })}
          </p>
        )}
        <div className={`${s.sure} row g4`}>
          <Route size={20} aria-hidden />
          <div className="grow">
            <div className="b" style={{ color: 'var(--text-1)' }}>
              {t('Expected a file here?')}
            </div>
            <p>{t('Enter its path to see why it is not listed.')}</p>
          </div>
          <Button onClick={openExplain}>{t('Explain a path…')}</Button>
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
