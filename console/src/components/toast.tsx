import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { errorMessage } from '../api/problem.ts';
import { t } from '../language/text.ts';
import s from './toast.module.css';

interface Toast {
  id: number;
  text: string;
  undo?: (() => unknown) | undefined;
}

let current: Toast | null = null;
let nextId = 1;
const listeners = new Set<() => void>();

function set(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

/** Shows a message, with an Undo button if `undo` is given, which may return a promise. A new toast replaces the current one. */
export function toast(text: string, undo?: () => unknown): void {
  set({ id: nextId++, text, undo });
}

/** Undoes the last action if its toast is still shown; returns whether it did. */
export function undoLast(): boolean {
  const undo = current?.undo;
  if (!undo) return false;
  set(null);
  void run(undo);
  return true;
}

/** What could not be undone is offered again. */
async function run(undo: () => unknown): Promise<void> {
  try {
    await undo();
  } catch (error) {
    toast(t('Could not undo. {errorMessage}', { errorMessage: errorMessage(error) }), undo);
  }
}

const SHOWN_MS = 6_000;
/** Longer, so that there is time to decide and reach the button. */
const UNDO_SHOWN_MS = 15_000;

export function ToastRegion() {
  const shown = useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => current,
  );
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!shown) return;
    // The toast stays while it has the focus or the pointer.
    const inUse = () => box.current?.contains(document.activeElement) || box.current?.matches(':hover');
    const timer = setInterval(() => inUse() || set(null), shown.undo ? UNDO_SHOWN_MS : SHOWN_MS);
    return () => clearInterval(timer);
  }, [shown]);

  return (
    <div ref={box} className={s.region} role="status" aria-live="polite">
      {shown && (
        <div className={s.toast} key={shown.id}>
          <CircleCheck size={16} aria-hidden />
          <span>{shown.text}</span>
          {shown.undo && (
            <button type="button" onClick={undoLast}>
              {t('Undo')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
