import { memo, type RefObject, type ReactNode } from 'react';
import { SlidersHorizontal, TriangleAlert, X, Plus } from 'lucide-react';
import { Menu } from '@mantine/core';
import { TopBar } from '../../shell/top-bar.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { AssistOffer } from './assist-offer.tsx';
import type { Chip } from './chips.ts';
import { SavedSearchControl } from './saved-search.tsx';
import { SearchBox } from './search-box.tsx';
import { EMPTY, type SearchState } from './search-state.ts';
import s from './search-head.module.css';

interface SearchHeadProps {
  /** The state without the file that is looked at. */
  view: SearchState;
  chips: Chip[];
  /** The chip that empties the result. */
  badId: string | null;
  errorAt: number | undefined;
  phone: boolean;
  tablet: boolean;
  box: RefObject<HTMLInputElement | null>;
  /** Keeps the file that is looked at. */
  onChange: (next: SearchState, keepHistory?: boolean) => void;
  /** Another question: lets go of that file. */
  onAsk: (next: SearchState, keepHistory?: boolean) => void;
  onDown: () => void;
  onFilters: () => void;
}

/** The box and what was understood of it. Memoised: choosing another file does not draw it again. */
export const SearchHead = memo(function SearchHead(props: SearchHeadProps) {
  const { view, tablet, box, onChange, onAsk, onFilters } = props;
  // What is put into the box reaches it first; then the cursor stands in it.
  const select = (start: number, end: number) =>
    setTimeout(() => {
      box.current?.focus();
      box.current?.setSelectionRange(start, end);
    }, 50);
  const editChip = ({ edit }: Chip) => {
    if (!('facet' in edit)) {
      box.current?.focus();
      box.current?.setSelectionRange(edit.start, edit.end);
    } else if (edit.facet === 'Place') {
      onChange({ ...view, lens: 'map' });
    } else if (edit.facet === 'Folder') {
      const q = `${view.q.trim()} path:"${view.path}"`.trim();
      onChange({ ...view, path: '', q });
      select(q.length - view.path.length - 1, q.length - 1);
    } else {
      onFilters();
      // In the drawer the filters appear first.
      setTimeout(() => focusFacet(edit.facet), tablet ? 250 : 0);
    }
  };
  const addFilter = (text: string) => {
    const q = `${view.q.trim()} ${text}`.trim();
    onChange({ ...view, q }, false);
    select(q.length, q.length);
  };
  return (
    <>
      <TopBar>
        <SearchBox
          value={view.q}
          onChange={(q) => onAsk({ ...view, q }, false)}
          errorAt={props.errorAt}
          onDown={props.onDown}
          inputRef={box}
          autoFocus={!props.phone}
        />
      </TopBar>
      <ChipsRow
        chips={props.chips}
        badId={props.badId}
        onChange={onChange}
        onEdit={editChip}
        onFilters={onFilters}
        onClear={() => onAsk({ ...EMPTY, lens: view.lens, sort: view.sort })}
        filterMenu={<FilterMenu onAdd={addFilter} />}
        end={<SavedSearchControl state={view} onChange={onChange} />}
      />
      <AssistOffer q={view.q} onUse={(q) => onChange({ ...view, q })} />
    </>
  );
});

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

/** The keys of the filter language people need most, each with an example. */
const FILTERS = [
  { label: 'Modified', text: 'modified:2023..2024', example: 'a year, a month, or a range' },
  { label: 'Size', text: 'size:>10m', example: 'over or under' },
  { label: 'Tag', text: 'tag:', example: 'exactly this tag' },
  { label: 'Folder', text: 'path:', example: 'below a folder' },
  { label: 'File type', text: 'ext:', example: 'an extension' },
  { label: 'Kind', text: 'kind:', example: 'image, document, …' },
  { label: 'Missing files', text: 'is:missing', example: 'no longer on disk' },
  { label: 'Files with a problem', text: 'has:error', example: 'could not be read' },
  { label: 'Without a word', text: '-', example: 'leaves a word out' },
] as const;

/** Puts a piece of the filter language into the box, ready to be completed. */
export function FilterMenu({ onAdd }: { onAdd: (text: string) => void }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="ghost" size="s" className="sm-hide">
          <Plus size={16} aria-hidden />
          Filter
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FILTERS.map((filter) => (
          <Menu.Item
            key={filter.text}
            onClick={() => onAdd(filter.text)}
            rightSection={<span className="muted meta">{filter.example}</span>}
          >
            {filter.label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs/" target="_blank">
          The whole filter language
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Goes to a group of filters, to the choice that is made there. The group in front is the visible one. */
export function focusFacet(title: string): void {
  const groups = [...document.querySelectorAll<HTMLElement>(`section[aria-label="${CSS.escape(title)}"]`)];
  const group = groups.find((one) => one.offsetParent !== null);
  const target =
    group?.querySelector<HTMLElement>('input:checked') ?? group?.querySelector<HTMLElement>('input, [role="slider"], select, button');
  void group?.scrollIntoView({ block: 'nearest' });
  target?.focus();
}
