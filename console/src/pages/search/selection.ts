/** The selected files: a set of ids, or all hits except some ids. */
export interface SelectedFiles {
  readonly size: number;
  has: (id: string) => boolean;
  /** Null when all hits are selected. */
  readonly ids: ReadonlySet<string> | null;
  /** Deselected after all hits were selected. */
  readonly excludedIds: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export const selectIds = (ids: ReadonlySet<string>): SelectedFiles => ({
  size: ids.size,
  has: (id) => ids.has(id),
  ids,
  excludedIds: NONE,
});

const allExcept = (total: number, excludedIds: ReadonlySet<string>): SelectedFiles => ({
  size: total - excludedIds.size,
  has: (id) => !excludedIds.has(id),
  ids: null,
  excludedIds,
});

/** The selection in a list. Click, Shift, Ctrl and arrow keys change it as in a file manager. */
export interface Selection {
  files: SelectedFiles;
  /** The row where a range starts. */
  anchor: number | null;
  /** The row with the keyboard focus. */
  current: number | null;
}

export const EMPTY_SELECTION: Selection = { files: selectIds(NONE), anchor: null, current: null };

type IdAt = (index: number) => string | undefined;

function range(from: number, to: number, idAt: IdAt): SelectedFiles {
  const ids = new Set<string>();
  for (let i = Math.min(from, to); i <= Math.max(from, to); i += 1) {
    const id = idAt(i);
    if (id) ids.add(id);
  }
  return selectIds(ids);
}

/** Makes a row current and deselects all files, as a plain click does. */
export function moveTo(index: number): Selection {
  return { files: EMPTY_SELECTION.files, anchor: index, current: index };
}

/** Selects or deselects one file, as Ctrl click, X and the check mark do. */
export function toggle(selection: Selection, index: number, idAt: IdAt): Selection {
  const id = idAt(index);
  if (!id) return selection;
  const { ids, excludedIds, size } = selection.files;
  if (ids === null) {
    const excluded = new Set(excludedIds);
    if (!excluded.delete(id)) excluded.add(id);
    return { files: allExcept(size + excludedIds.size, excluded), anchor: index, current: index };
  }
  const next = new Set(ids);
  // The first Ctrl click also selects the current row, as file managers do.
  if (next.size === 0 && selection.current !== null && selection.current !== index) {
    const current = idAt(selection.current);
    if (current) next.add(current);
  }
  if (!next.delete(id)) next.add(id);
  return { files: selectIds(next), anchor: index, current: index };
}

/** Selects everything between the anchor and a row, as Shift click and Shift with an arrow key do. */
export function extendTo(selection: Selection, index: number, idAt: IdAt): Selection {
  const anchor = selection.anchor ?? selection.current ?? index;
  return { files: range(anchor, index, idAt), anchor, current: index };
}

export function clearSelection(selection: Selection): Selection {
  return { ...selection, files: EMPTY_SELECTION.files };
}

/** Selects all hits, whether they are loaded or not. */
export function selectAllHits(selection: Selection, total: number): Selection {
  return { ...selection, files: allExcept(total, NONE) };
}
