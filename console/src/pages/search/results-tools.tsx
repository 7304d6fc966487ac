import { Menu } from '@mantine/core';
import { ArrowDown, ArrowUp, ArrowUpDown, Check, LayoutGrid, List, Map as MapIcon, RefreshCw } from 'lucide-react';
import * as reports from '../../api/reports.ts';
import type { SearchResponse } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { ExportMenu } from '../reports/export-menu.tsx';
import s from './search-page.module.css';
import { type SearchState, toParams, type ViewMode } from './search-state.ts';

/** The sort orders, by their API names. One with a fact is offered if some of the hits have it. */
const SORTS: readonly { value: string; label: string; fact?: string }[] = [
  { value: '', label: 'Relevance' },
  { value: 'newest', label: 'Newest' },
  { value: 'mtime:asc', label: 'Oldest' },
  { value: 'taken:desc', label: 'Date taken' },
  { value: 'added:desc', label: 'Recently added' },
  { value: 'name:asc', label: 'Name' },
  { value: 'size:desc', label: 'Largest' },
  { value: 'size:asc', label: 'Smallest' },
  { value: 'path:asc', label: 'Path' },
  { value: 'duration:desc', label: 'Longest' },
  { value: 'pages:desc', label: 'Most pages' },
  { value: 'width:desc', label: 'Most pixels wide' },
  { value: 'artist:asc', label: 'Artist', fact: 'artist' },
  { value: 'album:asc', label: 'Album', fact: 'album' },
  { value: 'author:asc', label: 'Author', fact: 'author' },
  { value: 'camera:asc', label: 'Camera', fact: 'camera' },
  { value: 'lens:asc', label: 'Lens', fact: 'lens' },
  { value: 'language:asc', label: 'Language', fact: 'language' },
];

const sortLabel = (sort: string): string => SORTS.find((s) => s.value === sort)?.label ?? sort;

const VIEW_MODES = [
  { value: 'list' as const, label: 'List', icon: List },
  { value: 'grid' as const, label: 'Grid', icon: LayoutGrid },
  { value: 'map' as const, label: 'Map', icon: MapIcon },
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
  const Arrow = state.sort === '' ? ArrowUpDown : state.sort.endsWith(':asc') ? ArrowUp : ArrowDown;
  return (
    <div className={s.tools}>
      {/* During a scan the count changes every few seconds, which screen readers should not announce. */}
      <span role="status" aria-live={scanning ? 'off' : 'polite'} className="cut">
        {response ? (
          state.viewMode === 'map' && locatedCount !== null ? (
            <>
              <b className="b">
                {formatCount(locatedCount)} of {pluralize(response.total, 'file')}
              </b>{' '}
              <span className="muted">{locatedCount === 1 ? 'has' : 'have'} a location</span>{' '}
              <span className="muted sm-hide">· {Math.max(1, Math.round(response.took_ms))} ms</span>
            </>
          ) : (
            <>
              <b className="b">{pluralize(response.total, 'file')}</b>{' '}
              <span className="muted sm-hide">
                {response.total_bytes ? `· ${formatBytes(response.total_bytes)} ` : ''}· {Math.max(1, Math.round(response.took_ms))} ms
                {response.semantic?.applied === false
                  ? ' · by words only'
                  : response.degraded
                    ? ' · search stopped early, counts may be too low'
                    : ''}
              </span>
            </>
          )
        ) : (
          <span className="muted">Searching…</span>
        )}
      </span>
      {scanning && (
        <a href="#/libraries" className={s.scanning} title={`${scanning}. More files will appear.`}>
          <StatusText tone="active" icon={RefreshCw}>
            <span className="cut">{scanning}</span>
          </StatusText>
        </a>
      )}
      <span className="grow" />
      {state.viewMode !== 'map' && (
        <Menu>
          <Menu.Target>
            <Button variant="ghost" size="s">
              <Arrow size={16} aria-hidden />
              <span className="visually-hidden">Sorted by </span>
              {sortLabel(state.sort)}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {SORTS.filter(({ value, fact }) => !fact || value === state.sort || Object.keys(response?.facets[fact] ?? {}).length > 0).map(
              (sort) => (
                <Menu.Item
                  key={sort.value}
                  rightSection={sort.value === state.sort ? <Check size={14} aria-label="Selected" /> : null}
                  onClick={() => onChange({ ...state, sort: sort.value })}
                >
                  {sort.label}
                </Menu.Item>
              ),
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {response && response.total > 0 && (
        <span className="sm-hide">
          <ExportMenu
            total={response.total}
            directUrl={(format) => `/api/v1/search/export?${exportQuery(state, format)}`}
            inBackground={(format) => reports.startExport({ source: { kind: 'search', params: toParams(state) }, format })}
            variant="ghost"
            size="s"
          />
        </span>
      )}
      <Segmented<ViewMode>
        label="View"
        value={state.viewMode}
        options={VIEW_MODES}
        onChange={(viewMode) => onChange({ ...state, viewMode })}
      />
    </div>
  );
}

/** The parameters of the search as the API takes them: a list is repeated. */
function exportQuery(state: SearchState, format: string): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(toParams(state)))
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  return query.toString();
}
