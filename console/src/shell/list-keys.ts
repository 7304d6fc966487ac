import { useEffect } from 'react';
import { inReadingDirection } from '../language/direction.ts';

/*
 * The same keys in every list. A list is an element with `data-list`; its rows have `data-row`, or else are its list items or table rows.
 * Up and Down move by row, Home and End to the first and last row, Enter opens; with `data-list="across"` Left and Right move too.
 * Entering a row focuses its main control: the element with `data-main`, or else its link, checkbox or summary. A button is never
 * chosen by default, because it may delete something; a row without a main control gets the focus itself.
 * Search results, trees, tabs, menus and input fields keep their own keys.
 */
const ROWS = 'li, tr';
const MAIN = 'a[href], summary, input[type="checkbox"]:not(:disabled)';
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY };
const STEPS_ACROSS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
const OWN_KEYS = [
  'input:not([type="checkbox"]), textarea, select, pre, audio, video, [contenteditable="true"], [aria-expanded="true"]',
  ...['grid', 'tree', 'tablist', 'listbox', 'combobox', 'menu', 'radiogroup', 'slider', 'spinbutton', 'region'].map((r) => `[role="${r}"]`),
].join();

/** For a list whose rows contain links or buttons; Tab reaches those. */
export const listProps = { 'data-list': '' } as const;
/** For a read-only list: Tab reaches the list, the arrow keys its rows. */
export const readOnlyListProps = { 'data-list': '', tabIndex: 0 } as const;

function rowsOf(list: Element): HTMLElement[] {
  const marked = list.querySelector('[data-row]') ? '[data-row]' : ROWS;
  return [...list.querySelectorAll<HTMLElement>(marked)].filter(
    (row) => row.parentElement?.closest(`${marked}, [data-list]`) === list && row.checkVisibility?.() !== false,
  );
}

function mainOf(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>('[data-main]:not(:disabled)') ?? row.querySelector<HTMLElement>(MAIN);
}

function enter(row: HTMLElement): void {
  const rowItself = row.dataset['row'] === 'self' || row.matches('a[href], button');
  const target = (rowItself ? null : mainOf(row)) ?? row;
  // Makes the row focusable without adding a tab stop.
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
  const step = STEPS[key] ?? (list.dataset['list'] === 'across' ? STEPS_ACROSS[inReadingDirection(key)] : undefined);
  if (step === undefined && key !== 'Enter') return;
  const rows = rowsOf(list);
  const at = rows.findIndex((row) => row.contains(target));
  if (rows.length === 0) return;
  if (step === undefined) {
    // Links, buttons and summaries handle Enter natively.
    if (target.matches('input[type="checkbox"]')) target.click();
    else if (at >= 0 && target === rows[at] && !target.matches('a, button')) mainOf(target)?.click();
    else return;
  } else {
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next) enter(next);
  }
  event.preventDefault();
}

/**
 * Mounted once, in the shell. The listener is on the document so that it runs after the components of a page, which may handle a key
 * themselves, and before the page-wide shortcuts of useKeys on the window.
 */
export function useListKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}
