import { Menu } from '@mantine/core';
import { ArrowDown, ArrowUp, ArrowUpDown, Check, LayoutGrid, List, Map as MapIcon } from 'lucide-react';
import type { SearchResponse } from '../../api/types.ts';
import { bytes, count, counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import type { Lens, SearchState } from './search-state.ts';
import s from './search-page.module.css';
import { SORTS, sortLabel } from './sorts.ts';

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
  onChange,
}: {
  state: SearchState;
  answer: SearchResponse | undefined;
  placed: number | null;
  onChange: (state: SearchState) => void;
}) {
  const Arrow = state.sort === '' ? ArrowUpDown : state.sort.endsWith(':asc') ? ArrowUp : ArrowDown;
  return (
    <div className={s.tools}>
      <span role="status" className="cut">
        {answer ? (
          state.lens === 'map' && placed !== null ? (
            <>
              <b className="b">{counted(placed, 'file')} with a place</b>{' '}
              <span className="muted sm-hide">
                of {count(answer.total)} · {Math.max(1, Math.round(answer.took_ms))} ms
              </span>
            </>
          ) : (
            <>
              <b className="b">{counted(answer.total, 'file')}</b>{' '}
              <span className="muted sm-hide">
                {answer.total_bytes ? `· ${bytes(answer.total_bytes)} ` : ''}· {Math.max(1, Math.round(answer.took_ms))} ms
                {answer.degraded ? ' · the engine stopped early; counts may be low' : ''}
              </span>
            </>
          )
        ) : (
          <span className="muted">Searching…</span>
        )}
      </span>
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
