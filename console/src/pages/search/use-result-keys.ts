import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { preferences, setPreference } from '../../shell/preferences.ts';
import { useKeys } from '../../shell/keys.ts';
import type { ResultsHandle } from './results-list.tsx';
import type { SearchState } from './search-state.ts';
import { chooseAll, clear, extendTo, NOTHING, type Selection, standOn, toggle } from './selection.ts';
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
  enterList: () => void;
  quickLook: () => void;
  looking: boolean;
  stopLooking: () => void;
  step: (by: number) => void;
  selectAll: () => void;
}

/** The details follow the keys when they rest; a key held down moves the list alone. */
const FOLLOW_MS = 100;

/** The grammar of a file manager over the results: mouse and keys move the same selection. */
export function useResultKeys({ hits, list, box, state, phone, onShow, onOpen, onChange, onFilters }: ResultKeysOptions): ResultKeys {
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [looking, setLooking] = useState(false);
  const latest = useRef(selection);
  latest.current = selection;
  const show = useRef(onShow);
  show.current = onShow;
  const shown = useRef(state.item);
  shown.current = state.item;
  const following = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { first, hitAt, total, arrivals } = hits;
  const idAt = useCallback((index: number) => hitAt(index)?.id, [hitAt]);

  // Another question lets go of everything; an inspected file that is still there stays current.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another question is answered
  useEffect(() => {
    const still = state.item ? (first?.hits.findIndex((hit) => hit.id === state.item) ?? -1) : -1;
    setSelection(still >= 0 ? { ...NOTHING, current: still, anchor: still } : NOTHING);
  }, [hits.question]);

  const stand = useCallback(
    (next: Selection, reveal: boolean) => {
      setSelection(next);
      if (next.current === null) return;
      if (reveal) list.current?.reveal(next.current);
      // Whoever gathers several files keeps the list as wide as it is; details that are open follow.
      if (phone || !preferences().inspectorOpen || (next.ids.size > 0 && !shown.current)) return;
      clearTimeout(following.current);
      const { current } = next;
      const follow = () => {
        if (latest.current.current !== current) return;
        const id = idAt(current);
        if (id) return show.current(id);
        // After a far jump its page is still on its way.
        const heard = arrivals.subscribe(() => {
          heard();
          follow();
        });
      };
      following.current = setTimeout(follow, FOLLOW_MS);
    },
    [idAt, list, phone, arrivals],
  );
  useEffect(() => () => clearTimeout(following.current), []);

  const pick = useCallback(
    (index: number, event: MouseEvent) => {
      const now = latest.current;
      if (event.shiftKey) stand(extendTo(now, index, idAt), false);
      else if (event.ctrlKey || event.metaKey) stand(toggle(now, index, idAt), false);
      else if (phone) {
        if (now.ids.size > 0) setSelection(toggle(now, index, idAt));
        else onOpen(index);
      } else {
        setPreference('inspectorOpen', true);
        setSelection(standOn(index));
        const id = idAt(index);
        if (id) onShow(id);
      }
    },
    [idAt, onOpen, onShow, phone, stand],
  );

  const move = (by: number, extend: boolean) => {
    if (total === 0 || state.lens === 'map') return false;
    const from = selection.current ?? -1;
    const next = Math.min(total - 1, Math.max(0, from + by));
    stand(extend ? extendTo(selection, next, idAt) : standOn(next), true);
    list.current?.focus();
    return true;
  };
  const columns = () => list.current?.columns ?? 1;
  const sideways = (by: number, extend = false) => (columns() > 1 ? move(by, extend) : false);
  const toggleCurrent = () => (selection.current === null ? false : setSelection(toggle(selection, selection.current, idAt)));
  const quickLook = useCallback(() => setLooking(true), []);
  const enterList = useCallback(() => {
    if (total > 0) stand(standOn(latest.current.current ?? 0), true);
    list.current?.focus();
  }, [total, stand, list]);
  const selectAll = () => {
    if (total === 0) return false;
    setSelection(chooseAll(latest.current, total));
    return true;
  };

  useKeys({
    '/': () => {
      box.current?.focus();
      box.current?.select();
    },
    ArrowDown: () => move(columns(), false),
    ArrowUp: () => move(-columns(), false),
    ArrowRight: () => sideways(1),
    ArrowLeft: () => sideways(-1),
    'Shift+ArrowDown': () => move(columns(), true),
    'Shift+ArrowUp': () => move(-columns(), true),
    'Shift+ArrowRight': () => sideways(1, true),
    'Shift+ArrowLeft': () => sideways(-1, true),
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
      quickLook();
      return true;
    },
    x: toggleCurrent,
    'Ctrl+Space': toggleCurrent,
    'Ctrl+a': selectAll,
    Escape: () => {
      if (selection.ids.size > 0) setSelection(clear(selection));
      else if (state.item) onChange({ ...state, item: '' });
      else if (state.q) onChange({ ...state, q: '' });
      else return false;
      return true;
    },
    '1': () => onChange({ ...state, lens: 'list' }),
    '2': () => onChange({ ...state, lens: 'grid' }),
    '3': () => onChange({ ...state, lens: 'map' }),
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
    enterList,
    quickLook,
    looking,
    stopLooking: () => {
      setLooking(false);
      // The dialog goes at once; the list takes the keys back.
      setTimeout(() => list.current?.focus(), 0);
    },
    step: (by) => {
      const next = Math.min(total - 1, Math.max(0, (selection.current ?? 0) + by));
      stand(standOn(next), true);
    },
    selectAll,
  };
}
