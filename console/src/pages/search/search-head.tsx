import { memo, type RefObject } from 'react';
import { TopBar } from '../../shell/top-bar.tsx';
import { AssistOffer } from './assist-offer.tsx';
import type { Chip } from './chips.ts';
import { ChipsRow } from './chips-row.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { focusFacet } from './focus-facet.ts';
import { SavedSearchControl } from './saved-search.tsx';
import { SearchBox } from './search-box.tsx';
import { EMPTY, type SearchState } from './search-state.ts';

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
