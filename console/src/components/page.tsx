import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { classNames } from './button.tsx';
import s from './page.module.css';

interface PageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** The page above this one. */
  back?: { href: string; label: string };
  children: ReactNode;
}

/** The layout of every page that is not a list of files: title, summary line, actions, cards. */
export function Page({ title, lead, actions, back, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className={s.page}>
      {back && (
        <a className={s.back} href={back.href}>
          <ArrowLeft size={14} aria-hidden />
          {back.label}
        </a>
      )}
      <header className={s.head}>
        <div>
          <h1 className="h1">{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        <span className="grow" />
        {actions}
      </header>
      {children}
    </div>
  );
}

export function Card({
  title,
  aside,
  children,
  className,
  headingId,
  row,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  headingId?: string;
  /** Part of a list of cards: arrow keys move from card to card. */
  row?: boolean;
}) {
  return (
    <section className={classNames(s.card, className)} aria-labelledby={headingId} data-row={row ? 'self' : undefined}>
      {title && (
        <div className={s.cardHead}>
          {typeof title === 'string' ? (
            <h2 className="h3" id={headingId}>
              {title}
            </h2>
          ) : (
            title
          )}
          <span className="grow" />
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Catalog` : 'Catalog';
  }, [title]);
}

/** Loads a lazy module shortly after the page is shown, so that it opens without delay. */
export function usePreload(load: () => Promise<unknown>): void {
  const client = useQueryClient();
  useEffect(() => {
    const start = () => {
      // On a slow connection, what the page shows comes first: its script, then its data.
      if (client.isFetching() > 0 || document.querySelector('main [aria-busy="true"]')) timer = setTimeout(start, 500);
      // A failure is ignored: the module is loaded again when it is opened, and ConnectionBar reports an unreachable server.
      else load().catch(() => {});
    };
    let timer = setTimeout(start, 1_000);
    return () => clearTimeout(timer);
  }, [load, client]);
}
