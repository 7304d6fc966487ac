import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react';
import { inReadingDirection } from '../language/direction.ts';
import { classNames } from './button.tsx';
import s from './tabs.module.css';

interface TabOption<T extends string> {
  value: T;
  label: string;
  count?: number | undefined;
}

interface TabsProps<T extends string> {
  label: string;
  value: T;
  tabs: readonly TabOption<T>[];
  onChange: (value: T) => void;
  className?: string | undefined;
  panelClassName?: string | undefined;
  children: ReactNode;
}

/** Tabs with optional counts; the left and right arrow keys move between them. */
export function Tabs<T extends string>({ label, value, tabs, onChange, className, panelClassName, children }: TabsProps<T>) {
  const id = useId();
  // On a phone the tab of an address may be outside the row. Only the row is scrolled, never the page.
  useEffect(() => {
    const tab = document.getElementById(`${id}-${value}`);
    const row = tab?.parentElement;
    if (!row || row.firstElementChild === tab) return;
    const [inner, outer] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += Math.max(0, inner.right - outer.right) + Math.min(0, inner.left - outer.left);
  }, [id, value]);
  const move = (event: KeyboardEvent) => {
    const key = inReadingDirection(event.key);
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex((t) => t.value === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className={classNames(s.list, className)} onKeyDown={move} tabIndex={-1}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className={s.tab}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
            {tab.count !== undefined && tab.count > 0 && <small>{tab.count}</small>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className={panelClassName}>
        {children}
      </div>
    </>
  );
}
