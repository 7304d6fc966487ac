/** Files chosen in a list, as a file manager does it: click, Shift, Ctrl, arrows. Pure: state in, state out. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Where a range starts. */
  anchor: number | null;
  /** The row the keyboard stands on. */
  current: number | null;
}

export const NOTHING: Selection = { ids: new Set(), anchor: null, current: null };

type IdAt = (index: number) => string | undefined;

function range(from: number, to: number, idAt: IdAt): Set<string> {
  const ids = new Set<string>();
  for (let i = Math.min(from, to); i <= Math.max(from, to); i += 1) {
    const id = idAt(i);
    if (id) ids.add(id);
  }
  return ids;
}

/** A plain click stands on a row and lets go of everything else. */
export function standOn(index: number): Selection {
  return { ids: new Set(), anchor: index, current: index };
}

/** Ctrl click, X, or the check mark: in or out, the rest stays. */
export function toggle(selection: Selection, index: number, idAt: IdAt): Selection {
  const id = idAt(index);
  if (!id) return selection;
  const ids = new Set(selection.ids);
  // Starting a selection with Ctrl takes the row one already stands on along, as file managers do.
  if (ids.size === 0 && selection.current !== null && selection.current !== index) {
    const here = idAt(selection.current);
    if (here) ids.add(here);
  }
  if (ids.has(id)) ids.delete(id);
  else ids.add(id);
  return { ids, anchor: index, current: index };
}

/** Shift click and Shift arrows: everything between the anchor and here. */
export function extendTo(selection: Selection, index: number, idAt: IdAt): Selection {
  const anchor = selection.anchor ?? selection.current ?? index;
  return { ids: range(anchor, index, idAt), anchor, current: index };
}

export function clear(selection: Selection): Selection {
  return { ...selection, ids: new Set() };
}
