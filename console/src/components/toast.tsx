import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import s from './toast.module.css';

interface Toast {
  id: number;
  text: string;
  undo?: (() => void) | undefined;
}

let current: Toast | null = null;
let nextId = 1;
const listeners = new Set<() => void>();

function set(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

/** Says what was done, once, with the way back when there is one. One toast at a time. */
export function toast(text: string, undo?: () => void): void {
  set({ id: nextId++, text, undo });
}

/** Takes the last action back, when its toast still offers it. */
export function undoLast(): boolean {
  const undo = current?.undo;
  if (!undo) return false;
  set(null);
  undo();
  return true;
}

const SHOWN_MS = 6_000;
/** Long enough to notice, think and go there. */
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
    // It stays while somebody is at it: the focus is in it or the pointer on it.
    const busy = () => box.current?.contains(document.activeElement) || box.current?.matches(':hover');
    const timer = setInterval(() => busy() || set(null), shown.undo ? UNDO_SHOWN_MS : SHOWN_MS);
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
              Undo
            </button>
          )}
        </div>
      )}
    </div>
  );
}
