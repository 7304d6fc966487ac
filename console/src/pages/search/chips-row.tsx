import { SlidersHorizontal, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import type { Chip } from './chips.ts';
import s from './chips-row.module.css';
import type { SearchState } from './search-state.ts';

interface ChipsRowProps {
  chips: Chip[];
  /** The filter that empties the list. */
  badId: string | null;
  onChange: (state: SearchState) => void;
  onEdit: (chip: Chip) => void;
  onFilters: () => void;
  onClear: () => void;
  filterMenu: ReactNode;
  end: ReactNode;
}

/** What the search was understood as, in words. */
export function ChipsRow({ chips, badId, onChange, onEdit, onFilters, onClear, filterMenu, end }: ChipsRowProps) {
  return (
    <div className={s.row}>
      <Button size="s" className="lg-hide" onClick={onFilters}>
        <SlidersHorizontal size={16} aria-hidden />
        Filters {chips.length > 0 && <span className="muted">{chips.length}</span>}
      </Button>
      {chips.length > 0 ? (
        <span className={s.lead}>Understood as</span>
      ) : (
        <span className={s.lead}>Everything. Type a word, or choose a filter.</span>
      )}
      {chips.map((chip) => (
        <span key={chip.id} className={s.chip} data-bad={chip.id === badId}>
          {chip.id === badId && <TriangleAlert size={14} role="img" aria-label="Empties the list:" />}
          <button type="button" className={s.text} title="Change" onClick={() => onEdit(chip)}>
            <span className="visually-hidden">Change </span>
            <em>
              {chip.or && 'or '}
              {chip.field}{' '}
            </em>
            {chip.values.map((value, i) => (
              <span key={value} className="cut">
                {i > 0 && <em> or </em>}
                <b>
                  <bdi>{value}</bdi>
                </b>
              </span>
            ))}
          </button>
          <IconButton size="s" label={`Remove ${chip.field} ${chip.values.join(' or ')}`} onClick={() => onChange(chip.without)}>
            <X size={14} aria-hidden />
          </IconButton>
        </span>
      ))}
      {filterMenu}
      {chips.length > 2 && (
        <Button variant="ghost" size="s" onClick={onClear}>
          Clear all
        </Button>
      )}
      <span className="grow" />
      {end}
    </div>
  );
}
