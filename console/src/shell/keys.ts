import { useEffect, useRef } from 'react';
import { inReadingDirection } from '../language/direction.ts';
import { preferences } from './preferences.ts';

/*
 * One listener for the whole console. The most recently mounted key map wins, so that a dialog or list can override page shortcuts.
 * Key names: "/", "?", "j", "Enter", "Ctrl+k", "Shift+ArrowDown", and sequences such as "g s".
 * A handler that returns false did not handle the key; the next map is tried.
 */
export type KeyMap = Record<string, (event: KeyboardEvent) => unknown>;

const stack: { current: KeyMap }[] = [];
let pending = '';
let pendingTimer: ReturnType<typeof setTimeout> | undefined;
const SEQUENCE_MS = 1_200;

function keyName(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : inReadingDirection(event.key);
  const ctrl = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  // For characters such as "?" the Shift key is already part of the character.
  const shift = event.shiftKey && (key.length > 1 || /[a-z]/.test(key)) ? 'Shift+' : '';
  return `${ctrl}${event.altKey ? 'Alt+' : ''}${shift}${key}`;
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button', 'submit'].includes(target.type);
}

function inDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = keyName(event);
  const single = name.length === 1 || name === 'Space' || name === 'Backspace';
  if (typing(event.target) && (single || name.startsWith('Shift+') || /^(Arrow|Home|End|Enter|Ctrl\+(a|z|Space))/.test(name))) return;
  if (single && /^[a-z0-9[\]]$/.test(name) && !preferences().letterKeys) return;
  const wanted = pending ? [`${pending} ${name}`, name] : [name];
  pending = '';
  for (const key of wanted) {
    for (const { current: map } of stack.toReversed()) {
      const handler = map[key];
      if (!handler) continue;
      if (inDialog(event.target) && !map['in dialog'] && key !== 'Ctrl+k') continue;
      if (handler(event) === false) continue;
      event.preventDefault();
      return;
    }
  }
  if (name === 'g' && !inDialog(event.target)) {
    pending = 'g';
    clearTimeout(pendingTimer);
    pendingTimer = setTimeout(() => {
      pending = '';
    }, SEQUENCE_MS);
  }
}

/** Handles keys while the component is mounted. Add `'in dialog': () => {}` to a map that works inside a dialog. */
export function useKeys(keys: KeyMap, active = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!active) return;
    if (stack.length === 0) addEventListener('keydown', handle);
    stack.push(latest);
    return () => {
      stack.splice(stack.indexOf(latest), 1);
      if (stack.length === 0) removeEventListener('keydown', handle);
    };
  }, [active]);
}
