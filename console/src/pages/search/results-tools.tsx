import { Menu } from '@mantine/core';
import { ArrowDown, ArrowUp, ArrowUpDown, Check, LayoutGrid, List, Map as MapIcon, RefreshCw } from 'lucide-react';
import type { SearchResponse } from '../../api/types.ts';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { StatusText } from '../../components/status.tsx';
import type { Lens, SearchState } from './search-state.ts';
import s from './search-page.module.css';

/** The orders a person can choose, by the names the service knows. */
export const SORTS = [
  { value: '', label: 'Relevance' },
  { value: 'newest', label: 'Newest' },
  { value: 'mtime:asc', label: 'Oldest' },
  { value: 'name:asc', label: 'Name' },
  { value: 'size:desc', label: 'Largest' },
  { value: 'size:asc', label: 'Smallest' },
  { value: 'path:asc', label: 'Folder' },
] as const;

export const sortLabel = (sort: string): string => SORTS.find((s) => s.value === sort)?.label ?? sort;

const LENSES = [
  { value: 'list' as const, label: 'List', icon: List },
  { value: 'grid' as const, label: 'Grid', icon: LayoutGrid },
  { value: 'map' as const, label: 'Map', icon: MapIcon },
];

/** The sums of the answer, the order, the lens. */
export function ResultsTools({
  state,
  answer,
  placed,
  scanning,
  onChange,
}: {
  state: SearchState;
  answer: SearchResponse | undefined;
  placed: number | null;
  /** Which libraries are being scanned, in words; '' for none. */
  scanning: string;
  onChange: (state: SearchState) => void;
}) {
  const Arrow = state.sort === '' ? ArrowUpDown : state.sort.endsWith(':asc') ? ArrowUp : ArrowDown;
  return (
    <div className={s.tools}>
      {/* A number that grows by itself every few seconds is not read out each time. */}
      <span role="status" aria-live={scanning ? 'off' : 'polite'} className="cut">
        {answer ? (
          state.lens === 'map' && placed !== null ? (
            <>
              <b className="b">{pluralize(placed, 'file')} with a place</b>{' '}
              <span className="muted sm-hide">
                of {formatCount(answer.total)} · {Math.max(1, Math.round(answer.took_ms))} ms
              </span>
            </>
          ) : (
            <>
              <b className="b">{pluralize(answer.total, 'file')}</b>{' '}
              <span className="muted sm-hide">
                {answer.total_bytes ? `· ${formatBytes(answer.total_bytes)} ` : ''}· {Math.max(1, Math.round(answer.took_ms))} ms
                {answer.degraded ? ' · the engine stopped early; counts may be low' : ''}
              </span>
            </>
          )
        ) : (
          <span className="muted">Searching…</span>
        )}
      </span>
      {scanning && (
        <a href="#/libraries" className={s.scanning} title={`${scanning}: more files are coming`}>
          <StatusText tone="active" icon={RefreshCw}>
            <span className="cut">{scanning}</span>
          </StatusText>
        </a>
      )}
      <span className="grow" />
      {/* Places have no order. */}
      {state.lens !== 'map' && (
        <Menu>
          <Menu.Target>
            <Button variant="ghost" size="s">
              <Arrow size={16} aria-hidden />
              <span className="visually-hidden">Sorted by </span>
              {sortLabel(state.sort)}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {SORTS.map((sort) => (
              <Menu.Item
                key={sort.value}
                rightSection={sort.value === state.sort ? <Check size={14} aria-label="chosen" /> : null}
                onClick={() => onChange({ ...state, sort: sort.value })}
              >
                {sort.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Segmented<Lens> label="View" value={state.lens} options={LENSES} onChange={(lens) => onChange({ ...state, lens })} />
    </div>
  );
}
