import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './button.tsx';
import s from './status.module.css';

/** ok: healthy · active: running · warn: needs attention · danger: lost or broken · idle: offline, stopped or scheduled. */
export type Tone = 'ok' | 'active' | 'warn' | 'danger' | 'idle';

interface StatusProps {
  tone: Tone;
  icon: LucideIcon;
  children: ReactNode;
  className?: string | undefined;
}

/** Text and icon are required, so that colour is never the only signal. */
export function StatusText({ tone, icon: Icon, children, className }: StatusProps) {
  return (
    <span className={classNames(s.status, s[tone], className)}>
      <Icon size={14} aria-hidden />
      {children}
    </span>
  );
}

export function StatusPill({ tone, icon: Icon, children, className }: StatusProps) {
  return (
    <span className={classNames(s.pill, s[tone], className)}>
      <Icon size={12} aria-hidden />
      {children}
    </span>
  );
}

/** A message inside the page, next to what it is about. */
export function Note({ tone, icon: Icon, children, className, live }: StatusProps & { live?: boolean }) {
  return (
    <div className={classNames(s.note, s[tone], className)} role={live ? 'status' : undefined}>
      <Icon size={18} aria-hidden />
      <div className={s.body}>{children}</div>
    </div>
  );
}
