import { Plus, SlidersHorizontal, TriangleAlert, X } from 'lucide-react';
import { memo, type ReactNode, type RefObject } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { LazyMenu } from '../../components/lazy-menu.tsx';
import { t } from '../../language/text.ts';
import { TopBar } from '../../shell/top-bar.tsx';
import { ModeSwitch } from '../passages/mode-switch.tsx';
import { AssistOffer } from './assist-offer.tsx';
import type { FilterChip } from './chips.ts';
import { chipText } from './chips.ts';
import { SavedSearchControl } from './saved-search.tsx';
import { SearchBox } from './search-box.tsx';
import s from './search-head.module.css';
import { EMPTY_SEARCH, inParentheses, quotable, type SearchState } from './search-state.ts';

interface SearchHeadProps {
  /** Without the file that is open in the inspector. */
  state: SearchState;
  chips: FilterChip[];
  /** The chip whose removal would bring back the most files. */
  restrictiveId: string | null;
  errorAt: number | undefined;
  phone: boolean;
  tablet: boolean;
  box: RefObject<HTMLInputElement | null>;
  /** Keeps the file in the inspector open. */
  onChange: (next: SearchState, keepHistory?: boolean) => void;
  /** Starts another search and closes the inspector. */
  onNewSearch: (next: SearchState, keepHistory?: boolean) => void;
  onEnterResults: () => void;
  onFilters: () => void;
}

/** The search box and its filter chips. Memoized, so that selecting a file does not render it again. */
export const SearchHead = memo(function SearchHead(props: SearchHeadProps) {
  const { state, tablet, box, onChange, onNewSearch, onFilters } = props;
  // Deferred until the box has rendered its new text.
  const select = (start: number, end: number) =>
    setTimeout(() => {
      box.current?.focus();
      box.current?.setSelectionRange(start, end);
    }, 50);
  const editChip = ({ edit }: FilterChip) => {
    if (!('facet' in edit)) {
      box.current?.focus();
      box.current?.setSelectionRange(edit.start, edit.end);
    } else if (edit.facet === t('Location')) {
      onChange({ ...state, viewMode: 'map' });
    } else if (edit.facet === t('Folder')) {
      const folder = quotable(state.path);
      const q = `${inParentheses(state.q)} path:"${folder}"`.trim();
      onChange({ ...state, path: '', q });
      select(q.length - folder.length - 1, q.length - 1);
    } else {
      onFilters();
      // The drawer must open before a filter in it can take the focus.
      setTimeout(() => focusFacet(edit.facet), tablet ? 250 : 0);
    }
  };
  const addFilter = (text: string) => {
    const q = `${inParentheses(state.q)} ${text}`.trim();
    onChange({ ...state, q }, false);
    select(q.length, q.length);
  };
  return (
    <>
      <TopBar>
        <SearchBox
          value={state.q}
          onChange={(q) => onNewSearch({ ...state, q }, false)}
          errorAt={props.errorAt}
          onEnterResults={props.onEnterResults}
          inputRef={box}
          autoFocus={!props.phone}
        />
      </TopBar>
      <ChipsRow
        chips={props.chips}
        restrictiveId={props.restrictiveId}
        onChange={onChange}
        onEdit={editChip}
        onFilters={onFilters}
        onClear={() => onNewSearch({ ...EMPTY_SEARCH, viewMode: state.viewMode, sort: state.sort })}
        filterMenu={<FilterMenu onAdd={addFilter} />}
        end={
          <>
            <SavedSearchControl state={state} onChange={onChange} />
            <ModeSwitch mode="files" q={state.q} />
          </>
        }
      />
      <AssistOffer q={state.q} onUse={(q) => onChange({ ...state, q })} />
    </>
  );
});

interface ChipsRowProps {
  chips: FilterChip[];
  /** The filter whose removal would bring back the most files. */
  restrictiveId: string | null;
  onChange: (state: SearchState) => void;
  onEdit: (chip: FilterChip) => void;
  onFilters: () => void;
  onClear: () => void;
  filterMenu: ReactNode;
  end: ReactNode;
}

/** The filters of the search, each of which can be edited and removed. */
function ChipsRow({ chips, restrictiveId, onChange, onEdit, onFilters, onClear, filterMenu, end }: ChipsRowProps) {
  return (
    <div className={s.row}>
      <Button size="s" className="lg-hide" onClick={onFilters}>
        <SlidersHorizontal size={16} aria-hidden />
        {t('Filters')} {chips.length > 0 && <span className="muted">{chips.length}</span>}
      </Button>
      {chips.length > 0 ? (
        <span className={s.lead}>{t('Matching')}</span>
      ) : (
        <span className={s.lead}>{t('All files. Type to search or add a filter.')}</span>
      )}
      {chips.map((chip) => (
        <span key={chip.id} className={s.chip} data-warning={chip.id === restrictiveId}>
          {chip.id === restrictiveId && <TriangleAlert size={14} role="img" aria-label={t('No results with this filter:')} />}
          <button type="button" className={s.text} title={t('Edit')} onClick={() => onEdit(chip)}>
            <span className="visually-hidden">{t('Edit')} </span>
            <em>
              {chip.or && `${t('or')} `}
              {chip.field}{' '}
            </em>
            {chip.values.map((value, i) => (
              <span key={value} className="cut">
                {i > 0 && <em> {t('or')} </em>}
                <b>
                  <bdi>{value}</bdi>
                </b>
              </span>
            ))}
          </button>
          <IconButton size="s" label={t('Remove {name}', { name: chipText(chip) })} onClick={() => onChange(chip.without)}>
            <X size={14} aria-hidden />
          </IconButton>
        </span>
      ))}
      {filterMenu}
      {chips.length > 2 && (
        <Button variant="ghost" size="s" onClick={onClear}>
          {t('Clear all')}
        </Button>
      )}
      <span className="grow" />
      {end}
    </div>
  );
}

/** The most common filters. */
const FILTERS = [
  { label: t('Modified'), text: 'modified:2023..2024', example: t('year, month or range') },
  { label: t('Size'), text: 'size:>10m', example: t('larger or smaller than') },
  { label: t('Tag'), text: 'tag:', example: t('exact tag') },
  { label: t('Folder'), text: 'path:', example: t('inside a folder') },
  { label: t('Extension'), text: 'ext:', example: t('pdf, jpg, …') },
  { label: t('File type'), text: 'kind:', example: t('image, document, …') },
  { label: t('Missing files'), text: 'is:missing', example: t('no longer on disk') },
  { label: t('Files with errors'), text: 'has:error', example: t('could not be read') },
  { label: t('Exclude a word'), text: '-', example: t('does not contain') },
];

/** Inserts a filter into the search box for the user to complete. */
function FilterMenu({ onAdd }: { onAdd: (text: string) => void }) {
  return (
    <LazyMenu
      position="bottom-start"
      target={
        <Button variant="ghost" size="s" className="sm-hide">
          <Plus size={16} aria-hidden />
          {t('Filter')}
        </Button>
      }
    >
      {(Menu) => (
        <>
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
          <Menu.Item component="a" href="/docs/filter-language.html" target="_blank">
            {t('Filter syntax')}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}

/** Focuses the selected choice of a facet. The facet exists twice, in the side panel and in the drawer; only one of them is visible. */
function focusFacet(title: string): void {
  const groups = [...document.querySelectorAll<HTMLElement>(`section[aria-label="${CSS.escape(title)}"]`)];
  const group = groups.find((one) => one.offsetParent !== null);
  const target =
    group?.querySelector<HTMLElement>('input:checked') ?? group?.querySelector<HTMLElement>('input, [role="slider"], select, button');
  void group?.scrollIntoView({ block: 'nearest' });
  target?.focus();
}
