import { CircleX, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorMessage, Problem, ServerUnreachable } from '../api/problem.ts';
import { t } from '../language/text.ts';
import { Button, ButtonLink } from './button.tsx';
import s from './states.module.css';
import { Note } from './status.tsx';

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** The page shows nothing else, so the title is its main heading. */
  wholePage?: boolean;
}

export function EmptyState({ title, children, actions, wholePage }: EmptyStateProps) {
  const Heading = wholePage ? 'h1' : 'h2';
  return (
    <div className={s.state}>
      <Heading className="h1">{title}</Heading>
      {children && <div className={s.lead}>{children}</div>}
      {actions && <div className={s.actions}>{actions}</div>}
    </div>
  );
}

/** In place of files or libraries for a person who sees none and cannot add any. */
export function NoAccess({ wholePage = false }: { wholePage?: boolean }) {
  return (
    <EmptyState title={t('You do not have access to any files')} wholePage={wholePage}>
      {t('Ask an administrator for access to a library.')}
    </EmptyState>
  );
}

function heading(error: unknown): string {
  if (error instanceof ServerUnreachable) return t('The server is not responding');
  if (error instanceof Problem && error.status === 403) return t('You do not have access');
  if (error instanceof Problem && error.status === 404) return t('Not found');
  if (error instanceof Problem && error.status === 503) return t('The server is not ready');
  return t('Could not load the data');
}

function advice(error: unknown): string {
  if (error instanceof ServerUnreachable) return t('Nothing is lost. The page reloads when the server is back.');
  if (error instanceof Problem && error.status === 403) return t('Ask an administrator for access.');
  if (error instanceof Problem && error.status === 404) return t('It was moved or removed, or the link is wrong.');
  return t('Nothing was changed. Try again.');
}

/** An error shown in place of the content that failed to load. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const missing = error instanceof Problem && (error.status === 404 || error.status === 403);
  return (
    <div className={s.state} role="alert">
      <h2 className="h1">{heading(error)}</h2>
      <p className={s.lead}>
        {error instanceof ServerUnreachable ? '' : `${errorMessage(error)} `}
        {advice(error)}
      </p>
      <div className={s.actions}>
        {retry && !missing && (
          <Button onClick={retry}>
            <RotateCcw size={16} aria-hidden />
            {t('Try again')}
          </Button>
        )}
        {missing && <ButtonLink href="#/">{t('Go to search')}</ButtonLink>}
      </div>
      {error instanceof Problem && <p className={s.code}>{error.code}</p>}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p className={s.loading} role="status">
      {t('Loading {what}…', { what })}
    </p>
  );
}

/** An error message next to the control that caused it; renders nothing without an error. */
export function ErrorNote({ error, kept = false }: { error: unknown; kept?: boolean }) {
  if (!error) return null;
  return (
    <Note tone="danger" icon={CircleX} live>
      {errorMessage(error)}
      {kept && error instanceof ServerUnreachable && ` ${t('Your input is kept. Try again in a moment.')}`}
    </Note>
  );
}

/** The error without the messages that the given fields already show. */
export function withoutFieldErrors(error: unknown, shown: ReadonlySet<string>): unknown {
  if (!(error instanceof Problem) || error.errors.length === 0) return error;
  const here = new Set([...shown].map((name) => error.field(name)));
  const rest = error.errors.filter((one) => !here.has(one.msg));
  return rest.length === 0 ? null : new Problem(error.status, { ...error.body, errors: rest });
}
