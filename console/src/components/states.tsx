import { RotateCcw, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Problem, ServerUnreachable, errorMessage } from '../api/problem.ts';
import { Button, ButtonLink } from './button.tsx';
import s from './states.module.css';
import { Note } from './status.tsx';

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** It is all the page has; its title is the page's heading. */
  wholePage?: boolean;
}

/** Nothing to show, and what to do about it. */
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

function heading(error: unknown): string {
  if (error instanceof ServerUnreachable) return 'The server does not answer';
  if (error instanceof Problem && error.status === 403) return 'Your account may not see this';
  if (error instanceof Problem && error.status === 404) return 'Nothing is here any more';
  if (error instanceof Problem && error.status === 503) return 'Not ready yet';
  return 'This could not be loaded';
}

function advice(error: unknown): string {
  if (error instanceof ServerUnreachable) return 'Nothing is lost. The page loads by itself when the server is back.';
  if (error instanceof Problem && error.status === 403) return 'Ask an administrator for the right to do this.';
  if (error instanceof Problem && error.status === 404) return 'It was moved or removed, or the address has a typing mistake.';
  return 'Nothing was changed. Try again.';
}

/** An error in the place of the content it belongs to. */
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
            Try again
          </Button>
        )}
        {missing && <ButtonLink href="#/">Go to search</ButtonLink>}
      </div>
      {error instanceof Problem && <p className={s.code}>{error.code}</p>}
    </div>
  );
}

/** A wait with a word. */
export function Loading({ what }: { what: string }) {
  return (
    <p className={s.loading} role="status">
      Loading {what}…
    </p>
  );
}

/** What the service said no to, beside the thing it is about; nothing while there is nothing to say. */
export function ErrorNote({ error, kept = false }: { error: unknown; kept?: boolean }) {
  if (!error) return null;
  return (
    <Note tone="danger" icon={CircleX} live>
      {errorMessage(error)}
      {kept && error instanceof ServerUnreachable && ' What you typed is kept; try again in a moment.'}
    </Note>
  );
}

/** What is left of a refusal when some fields show their part of it themselves. */
export function withoutFieldErrors(error: unknown, shown: ReadonlySet<string>): unknown {
  if (!(error instanceof Problem) || error.errors.length === 0) return error;
  const here = new Set([...shown].map((name) => error.field(name)));
  const rest = error.errors.filter((one) => !here.has(one.msg));
  return rest.length === 0 ? null : new Problem(error.status, { ...error.body, errors: rest });
}
