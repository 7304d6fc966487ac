import { useEffect } from 'react';

/*
 * The same keys in every list. A container marked `data-list` holds rows: what is marked `data-row`, or else its items and table rows.
 * Down and up go from row to row, Home and End to the first and the last, Enter opens; in `data-list="across"` right and left move too.
 * A row is entered at its main thing: what is marked `data-main`, or else its link, its box to tick, its summary. A button is never
 * guessed, for it may remove something; a row without a main thing takes the focus itself.
 * Search results, trees, tabs, menus and everything one types in keep their own keys.
 */
const ROWS = 'li, tr';
const MAIN = 'a[href], summary, input[type="checkbox"]:not(:disabled)';
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY };
const STEPS_ACROSS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
const OWN_KEYS = [
  'input:not([type="checkbox"]), textarea, select, pre, audio, video, [contenteditable="true"], [aria-expanded="true"]',
  ...['grid', 'tree', 'tablist', 'listbox', 'combobox', 'menu', 'radiogroup', 'slider', 'spinbutton', 'region'].map((r) => `[role="${r}"]`),
].join();

/** Marks a list whose rows hold a link or a button, by which it is reached. */
export const listProps = { 'data-list': '' } as const;
/** Marks a list that is only read: Tab reaches the list, the arrows its rows. */
export const readOnlyListProps = { 'data-list': '', tabIndex: 0 } as const;

function rowsOf(list: Element): HTMLElement[] {
  const marked = list.querySelector('[data-row]') ? '[data-row]' : ROWS;
  return [...list.querySelectorAll<HTMLElement>(marked)].filter(
    (row) => row.parentElement!.closest(`${marked}, [data-list]`) === list && row.checkVisibility?.() !== false,
  );
}

function mainOf(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>('[data-main]:not(:disabled)') ?? row.querySelector<HTMLElement>(MAIN);
}

function enter(row: HTMLElement): void {
  const rowItself = row.dataset['row'] === 'self' || row.matches('a[href], button');
  const target = (rowItself ? null : mainOf(row)) ?? row;
  // A row that is neither link nor button can take the focus so, without becoming a stop of Tab.
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

function handle(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(target instanceof HTMLElement)) return;
  const list = target.closest<HTMLElement>('[data-list]');
  const own = target.closest(OWN_KEYS);
  if (!list || (own && list.contains(own))) return;
  const step = STEPS[key] ?? (list.dataset['list'] === 'across' ? STEPS_ACROSS[key] : undefined);
  if (step === undefined && key !== 'Enter') return;
  const rows = rowsOf(list);
  const at = rows.findIndex((row) => row.contains(target));
  if (rows.length === 0) return;
  if (step === undefined) {
    // Links, buttons and summaries answer Enter themselves.
    if (target.matches('input[type="checkbox"]')) target.click();
    else if (at >= 0 && target === rows[at] && !target.matches('a, button')) mainOf(target)?.click();
    else return;
  } else {
    enter(rows[Math.min(rows.length - 1, Math.max(0, at + step))]!);
  }
  event.preventDefault();
}

/**
 * Mounted once, in the shell. The document hears a key after the parts of a page, which may take it, and before the window, where the
 * keys of the whole page are asked.
 */
export function useListKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}
