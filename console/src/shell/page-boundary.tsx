import { Component, type ReactNode } from 'react';
import { onServerReturn, reportUnreachable, retryNow } from '../api/connection.ts';
import { ServerUnreachable } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, ErrorState } from '../components/states.tsx';
import { rich } from '../language/rich.ts';
import { t } from '../language/text.ts';

const RELOADED = 'catalog.reloaded-at';
const MIN_RELOAD_INTERVAL_MS = 10_000;

/** A lazy chunk could not be loaded: the server is unreachable, or a new version replaced it. */
const isLoadFailure = (error: Error): boolean =>
  /dynamically imported module|Importing a module script failed|error loading|Unable to preload/i.test(error.message);

function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < MIN_RELOAD_INTERVAL_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}

/**
 * Keeps an error in one page from breaking the whole console.
 * If a chunk could not be loaded, the page reloads as soon as the server responds: immediately after an upgrade, otherwise when it is back.
 */
export class PageBoundary extends Component<{ path: string; children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };
  private unsubscribe: (() => void) | undefined;

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    if (!isLoadFailure(error)) return;
    this.unsubscribe ??= onServerReturn(reloadOnce);
    reportUnreachable();
    retryNow();
  }

  /** Another page of the same section is tried, and not reloaded when the server returns: it may hold input. */
  override componentDidUpdate(before: { path: string }): void {
    if (!this.state.error || before.path === this.props.path) return;
    this.stopWaiting();
    this.setState({ error: null });
  }

  override componentWillUnmount(): void {
    this.stopWaiting();
  }

  private stopWaiting(): void {
    this.unsubscribe?.();
    this.unsubscribe = undefined;
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (isLoadFailure(error)) return <ErrorState error={new ServerUnreachable()} retry={() => location.reload()} />;
    return (
      <EmptyState
        wholePage
        title={t('This page stopped working')}
        actions={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}
      >
        {rich('Your data is safe. Reload the page; if it happens again, report this error: {message}', {
          message: <code className="mono">{error.message}</code>,
        })}
      </EmptyState>
    );
  }
}
