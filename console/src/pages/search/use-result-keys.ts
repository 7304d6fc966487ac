import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { preferences, setPreference } from '../../shell/preferences.ts';
import type { ResultsHandle } from './results-list.tsx';
import type { SearchState } from './search-state.ts';
import { clearSelection, EMPTY_SELECTION, extendTo, moveTo, type Selection, selectAllHits, toggle } from './selection.ts';
import type { Hits } from './use-hits.ts';

interface ResultKeysOptions {
  hits: Hits;
  list: RefObject<ResultsHandle | null>;
  box: RefObject<HTMLInputElement | null>;
  state: SearchState;
  phone: boolean;
  onShow: (id: string) => void;
  onOpen: (index: number) => void;
  onChange: (state: SearchState) => void;
  onFilters: () => void;
}

export interface ResultKeys {
  selection: Selection;
  setSelection: (next: Selection) => void;
  pick: (index: number, event: MouseEvent) => void;
  focusList: () => void;
  openQuickLook: () => void;
  quickLookOpen: boolean;
  closeQuickLook: () => void;
  step: (by: number) => void;
  selectAll: () => void;
}

/** The inspector follows the current row after this delay, so that a held key only moves through the list. */
const DETAILS_DELAY_MS = 100;
/** The files of a larger range would not stay loaded. */
const MAX_RANGE = 10_000;

/** Selection of results by mouse and keyboard, as in a file manager. */
export function useResultKeys({ hits, list, box, state, phone, onShow, onOpen, onChange, onFilters }: ResultKeysOptions): ResultKeys {
  const [selection, setSelection] = useState<Selection>(EMPTY_SELECTION);
  const [quickLookOpen, setQuickLookOpen] = useState(false);
  const latest = useRef(selection);
  latest.current = selection;
  const show = useRef(onShow);
  show.current = onShow;
  const shown = useRef(state.item);
  shown.current = state.item;
  // Somebody who went to the results before they had arrived is on their first row.
  const entered = useRef(false);
  const followTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { first, hitAt, total, pageLoads } = hits;
  const idAt = useCallback((index: number) => hitAt(index)?.id, [hitAt]);

  const moveSelection = useCallback(
    (next: Selection, reveal: boolean) => {
      entered.current = false;
      latest.current = next;
      setSelection(next);
      if (next.current === null) return;
      if (reveal) list.current?.reveal(next.current);
      // Selecting several files does not open the inspector, but an open one follows.
      if (phone || !preferences().inspectorOpen || (next.files.size > 0 && !shown.current)) return;
      clearTimeout(followTimer.current);
      const { current } = next;
      const follow = () => {
        if (latest.current.current !== current) return;
        const id = idAt(current);
        if (id) return show.current(id);
        // After a jump, the page of this row may still be loading.
        const unsubscribe = pageLoads.subscribe(() => {
          unsubscribe();
          follow();
        });
      };
      followTimer.current = setTimeout(follow, DETAILS_DELAY_MS);
    },
    [idAt, list, phone, pageLoads],
  );
  useEffect(() => () => clearTimeout(followTimer.current), []);

  // A new query clears the selection, but the file in the inspector stays current if it is on the first page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only for a new query
  useEffect(() => {
    const index = state.item ? (first?.hits.findIndex((hit) => hit.id === state.item) ?? -1) : -1;
    if (index < 0 && entered.current && total > 0 && document.activeElement !== box.current) return moveSelection(moveTo(0), true);
    setSelection(index >= 0 ? { ...EMPTY_SELECTION, current: index, anchor: index } : EMPTY_SELECTION);
  }, [hits.queryId]);

  const { loadRows } = hits;
  /** Selects everything between the anchor and a row, also what has not been loaded. */
  const extend = useCallback(
    (index: number, reveal: boolean) => {
      const next = extendTo(latest.current, index, idAt);
      const [from, to] = [Math.min(index, next.anchor ?? index), Math.max(index, next.anchor ?? index)];
      if (to - from >= MAX_RANGE) {
        toast(t('A range can have up to {n|# file|# files}. Select all results, or narrow the search.', { n: MAX_RANGE }));
        return moveSelection({ ...latest.current, current: index }, reveal);
      }
      moveSelection(next, reveal);
      if (next.files.size > to - from) return;
      const complete = async () => {
        const loaded = await loadRows(from, to);
        if (latest.current === next) setSelection(loaded ? extendTo(next, index, idAt) : clearSelection(next));
      };
      complete().catch((error: unknown) => {
        if (latest.current !== next) return;
        setSelection(clearSelection(next));
        toast(t('Could not select the files. {errorMessage}', { errorMessage: errorMessage(error) }));
      });
    },
    [idAt, loadRows, moveSelection],
  );

  const pick = useCallback(
    (index: number, event: MouseEvent) => {
      const now = latest.current;
      if (event.shiftKey) extend(index, false);
      else if (event.ctrlKey || event.metaKey) moveSelection(toggle(now, index, idAt), false);
      else if (phone) {
        if (now.files.size > 0) setSelection(toggle(now, index, idAt));
        else onOpen(index);
      } else {
        setPreference('inspectorOpen', true);
        entered.current = false;
        setSelection(moveTo(index));
        const id = idAt(index);
        if (id) onShow(id);
      }
    },
    [idAt, onOpen, onShow, phone, moveSelection, extend],
  );

  const move = (by: number, extending: boolean) => {
    if (total === 0 || state.viewMode === 'map') return false;
    const from = selection.current ?? -1;
    const next = Math.min(total - 1, Math.max(0, from + by));
    if (extending) extend(next, true);
    else moveSelection(moveTo(next), true);
    list.current?.focus();
    return true;
  };
  const columns = () => list.current?.columns ?? 1;
  const moveSideways = (by: number, extending = false) => (columns() > 1 ? move(by, extending) : false);
  const toggleCurrent = () => (selection.current === null ? false : setSelection(toggle(selection, selection.current, idAt)));
  const openQuickLook = useCallback(() => setQuickLookOpen(true), []);
  const focusList = useCallback(() => {
    if (total > 0) moveSelection(moveTo(latest.current.current ?? 0), true);
    entered.current = true;
    list.current?.focus();
  }, [total, moveSelection, list]);
  const selectAll = () => {
    if (total === 0) return false;
    setSelection(selectAllHits(latest.current, total));
    return true;
  };

  useKeys({
    '/': () => {
      box.current?.focus();
      box.current?.select();
    },
    ArrowDown: () => move(columns(), false),
    ArrowUp: () => move(-columns(), false),
    ArrowRight: () => moveSideways(1),
    ArrowLeft: () => moveSideways(-1),
    'Shift+ArrowDown': () => move(columns(), true),
    'Shift+ArrowUp': () => move(-columns(), true),
    'Shift+ArrowRight': () => moveSideways(1, true),
    'Shift+ArrowLeft': () => moveSideways(-1, true),
    Home: () => move(-total, false),
    End: () => move(total, false),
    PageDown: () => move(list.current?.page ?? 1, false),
    PageUp: () => move(-(list.current?.page ?? 1), false),
    ']': () => move(1, false),
    '[': () => move(-1, false),
    Enter: (event) => {
      if (selection.current === null || (event.target instanceof HTMLElement && event.target.closest('button, a, label, input')))
        return false;
      onOpen(selection.current);
      return true;
    },
    Space: (event) => {
      if (selection.current === null || (event.target instanceof HTMLElement && event.target.closest('button, a, label, input')))
        return false;
      openQuickLook();
      return true;
    },
    x: toggleCurrent,
    'Ctrl+Space': toggleCurrent,
    'Ctrl+a': selectAll,
    Escape: () => {
      if (selection.files.size > 0) setSelection(clearSelection(selection));
      else if (state.item) onChange({ ...state, item: '' });
      else if (state.q) onChange({ ...state, q: '' });
      else return false;
      return true;
    },
    '1': () => onChange({ ...state, viewMode: 'list' }),
    '2': () => onChange({ ...state, viewMode: 'grid' }),
    '3': () => onChange({ ...state, viewMode: 'map' }),
    f: onFilters,
    i: () => {
      const open = !preferences().inspectorOpen || !state.item;
      setPreference('inspectorOpen', open);
      const id = selection.current !== null ? idAt(selection.current) : undefined;
      onChange({ ...state, item: open ? (id ?? '') : '' });
    },
  });

  return {
    selection,
    setSelection,
    pick,
    focusList,
    openQuickLook,
    quickLookOpen,
    closeQuickLook: () => {
      setQuickLookOpen(false);
      // Deferred until the dialog is closed.
      setTimeout(() => list.current?.focus(), 0);
    },
    step: (by) => {
      const next = Math.min(total - 1, Math.max(0, (selection.current ?? 0) + by));
      moveSelection(moveTo(next), true);
    },
    selectAll,
  };
}
