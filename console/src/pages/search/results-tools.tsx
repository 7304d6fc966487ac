import { ArrowDown, ArrowUp, ArrowUpDown, Check, LayoutGrid, List, Map as MapIcon, RefreshCw } from 'lucide-react';
import * as reports from '../../api/reports.ts';
import type { SearchParams, SearchResponse } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { LazyMenu } from '../../components/lazy-menu.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { ExportMenu } from '../reports/export-menu.tsx';
import { listedParams } from './page-cache.ts';
import s from './search-page.module.css';
import { type SearchState, sortOf, toParams, type ViewMode } from './search-state.ts';

/** The sort orders, by their API names. One with a fact is offered if some of the hits have it. */
const SORTS: readonly { value: string; label: string; fact?: string }[] = [
  { value: '', label: t('Relevance') },
  { value: 'newest', label: t('Newest') },
  { value: 'mtime:asc', label: t('Oldest') },
  { value: 'taken:desc', label: t('Date taken') },
  { value: 'added:desc', label: t('Recently added') },
  { value: 'name:asc', label: t('Name') },
  { value: 'size:desc', label: t('Largest') },
  { value: 'size:asc', label: t('Smallest') },
  { value: 'path:asc', label: t('Path') },
  { value: 'duration:desc', label: t('Longest') },
  { value: 'pages:desc', label: t('Most pages') },
  { value: 'width:desc', label: t('Most pixels wide') },
  { value: 'artist:asc', label: t('Artist'), fact: 'artist' },
  { value: 'album:asc', label: t('Album'), fact: 'album' },
  { value: 'author:asc', label: t('Author'), fact: 'author' },
  { value: 'camera:asc', label: t('Camera'), fact: 'camera' },
  { value: 'lens:asc', label: t('Lens'), fact: 'lens' },
  { value: 'language:asc', label: t('Language'), fact: 'language' },
];

const sortLabel = (sort: string): string => SORTS.find((s) => s.value === sort)?.label ?? sort;

const VIEW_MODES = [
  { value: 'list' as const, label: t('List'), icon: List },
  { value: 'grid' as const, label: t('Grid'), icon: LayoutGrid },
  { value: 'map' as const, label: t('Map'), icon: MapIcon },
];

/** The number of hits, the sort order and the view mode. */
export function ResultsTools({
  state,
  response,
  locatedCount,
  scanning,
  onChange,
}: {
  state: SearchState;
  response: SearchResponse | undefined;
  locatedCount: number | null;
  /** A message about running scans; '' when none runs. */
  scanning: string;
  onChange: (state: SearchState) => void;
}) {
  const current = sortOf(state);
  const Arrow = current === '' ? ArrowUpDown : current.endsWith(':asc') ? ArrowUp : ArrowDown;
  const hasWords = sortOf({ ...state, sort: '' }) === '';
  const offered = SORTS.filter(
    ({ value, fact }) => (value !== '' || hasWords) && (!fact || value === current || Object.keys(response?.facets[fact] ?? {}).length > 0),
  );
  return (
    <div className={s.tools}>
      {/* During a scan the count changes every few seconds, which screen readers should not announce. */}
      <span role="status" aria-live={scanning ? 'off' : 'polite'} className="cut">
        {response ? (
          state.viewMode === 'map' && locatedCount !== null ? (
            <>
              {rich('<b>{located} of {total|# file|# files}</b> <small>{located|has|have} a location</small>', {
                located: locatedCount,
                total: response.total,
                b: (text) => <b className="b">{text}</b>,
                small: (text) => <span className="muted">{text}</span>,
              })}{' '}
              <span className="muted sm-hide">
                {'· '}
                {t('{value} ms', { value: Math.max(1, Math.round(response.took_ms)) })}
              </span>
            </>
          ) : (
            <>
              <b className="b">{t('{n|# file|# files}', { n: response.total })}</b>{' '}
              <span className="muted sm-hide">
                {response.total_bytes ? `· ${formatBytes(response.total_bytes)} ` : ''}
                {'· '}
                {t('{value} ms', { value: Math.max(1, Math.round(response.took_ms)) })}
                {response.semantic?.applied === false
                  ? ` · ${t('by words only')}`
                  : response.degraded
                    ? ` · ${t('search stopped early, counts may be too low')}`
                    : ''}
              </span>
            </>
          )
        ) : (
          <span className="muted">{t('Searching…')}</span>
        )}
      </span>
      {scanning && (
        <a href="#/libraries" className={s.scanning} title={t('{scanning}. More files will appear.', { scanning })}>
          <StatusText tone="active" icon={RefreshCw}>
            <span className="cut">{scanning}</span>
          </StatusText>
        </a>
      )}
      <span className="grow" />
      {state.viewMode !== 'map' && (
        <LazyMenu
          target={
            <Button variant="ghost" size="s">
              <Arrow size={16} aria-hidden />
              <span className="visually-hidden">{t('Sorted by')} </span>
              {sortLabel(current)}
            </Button>
          }
        >
          {(Menu) => (
            <>
              {offered.map((sort) => (
                <Menu.Item
                  key={sort.value}
                  rightSection={sort.value === current ? <Check size={14} aria-label={t('Selected')} /> : null}
                  onClick={() => onChange({ ...state, sort: sort.value })}
                >
                  {sort.label}
                </Menu.Item>
              ))}
            </>
          )}
        </LazyMenu>
      )}
      {/* Before the first response it keeps its place, so that the sort order does not move. */}
      {response?.total !== 0 && (
        <span className="sm-hide" style={{ visibility: response ? undefined : 'hidden' }}>
          <ExportMenu
            total={response?.total ?? 0}
            directUrl={(format) => `/api/v1/search/export?${exportQuery(exportParams(state, response), format)}`}
            inBackground={(format) => reports.startExport({ source: { kind: 'search', params: exportParams(state, response) }, format })}
            variant="ghost"
            size="s"
          />
        </span>
      )}
      <Segmented<ViewMode>
        label={t('View')}
        value={state.viewMode}
        options={VIEW_MODES}
        onChange={(viewMode) => onChange({ ...state, viewMode })}
      />
    </div>
  );
}

/** The search whose hits the page lists. By meaning every file is more or less near, so only as many are exported as the page counts. */
export function exportParams(state: SearchState, response: Pick<SearchResponse, 'total' | 'semantic'> | undefined): SearchParams {
  const params = listedParams(toParams(state), response);
  return params.semantic && response ? { ...params, limit: response.total } : params;
}

/** The parameters of the search as the API takes them: a list is repeated. */
function exportQuery(params: SearchParams, format: string): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(params))
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  return query.toString();
}
