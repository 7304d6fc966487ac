/** The chosen files: some by name, or all that the search finds but some. */
export interface Chosen {
  readonly size: number;
  has: (id: string) => boolean;
  /** The names; null when everything the search finds is chosen. */
  readonly named: ReadonlySet<string> | null;
  /** Taken out of everything again. */
  readonly except: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export const chosenOf = (named: ReadonlySet<string>): Chosen => ({ size: named.size, has: (id) => named.has(id), named, except: NONE });

const everythingBut = (total: number, except: ReadonlySet<string>): Chosen => ({
  size: total - except.size,
  has: (id) => !except.has(id),
  named: null,
  except,
});

/** Files chosen in a list, as a file manager does it: click, Shift, Ctrl, arrows. Pure: state in, state out. */
export interface Selection {
  ids: Chosen;
  /** Where a range starts. */
  anchor: number | null;
  /** The row the keyboard stands on. */
  current: number | null;
}

export const NOTHING: Selection = { ids: chosenOf(NONE), anchor: null, current: null };

type IdAt = (index: number) => string | undefined;

function range(from: number, to: number, idAt: IdAt): Chosen {
  const ids = new Set<string>();
  for (let i = Math.min(from, to); i <= Math.max(from, to); i += 1) {
    const id = idAt(i);
    if (id) ids.add(id);
  }
  return chosenOf(ids);
}

/** A plain click stands on a row and lets go of everything else. */
export function standOn(index: number): Selection {
  return { ids: NOTHING.ids, anchor: index, current: index };
}

/** Ctrl click, X, or the check mark: in or out, the rest stays. */
export function toggle(selection: Selection, index: number, idAt: IdAt): Selection {
  const id = idAt(index);
  if (!id) return selection;
  const { named, except, size } = selection.ids;
  if (named === null) {
    const left = new Set(except);
    if (!left.delete(id)) left.add(id);
    return { ids: everythingBut(size + except.size, left), anchor: index, current: index };
  }
  const ids = new Set(named);
  // Starting a selection with Ctrl takes the row one already stands on along, as file managers do.
  if (ids.size === 0 && selection.current !== null && selection.current !== index) {
    const here = idAt(selection.current);
    if (here) ids.add(here);
  }
  if (ids.has(id)) ids.delete(id);
  else ids.add(id);
  return { ids: chosenOf(ids), anchor: index, current: index };
}

/** Shift click and Shift arrows: everything between the anchor and here. */
export function extendTo(selection: Selection, index: number, idAt: IdAt): Selection {
  const anchor = selection.anchor ?? selection.current ?? index;
  return { ids: range(anchor, index, idAt), anchor, current: index };
}

export function clear(selection: Selection): Selection {
  return { ...selection, ids: NOTHING.ids };
}

/** Ctrl A: everything the search finds, however much of it has been loaded. */
export function chooseAll(selection: Selection, total: number): Selection {
  return { ...selection, ids: everythingBut(total, NONE) };
}
