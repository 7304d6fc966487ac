import { Component, type ReactNode } from 'react';
import { reportUnreachable, retryNow, onServerReturn } from '../api/connection.ts';
import { ServerUnreachable } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, ErrorState } from '../components/states.tsx';

const RELOADED = 'catalog.reloaded-at';
const MIN_RELOAD_INTERVAL_MS = 10_000;

/** A part of the console did not come: the server is away, or a new version replaced it. */
const isLoadFailure = (error: Error): boolean =>
  /dynamically imported module|Importing a module script failed|error loading|Unable to preload/i.test(error.message);

function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < MIN_RELOAD_INTERVAL_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}

/**
 * Keeps a fault in one page from taking the console down.
 * A part that could not be loaded is loaded when the server answers: at once after an upgrade, later when the server is away.
 */
export class PageBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };
  private forget: (() => void) | undefined;

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    if (!isLoadFailure(error)) return;
    this.forget ??= onServerReturn(reloadOnce);
    reportUnreachable();
    retryNow();
  }

  override componentWillUnmount(): void {
    this.forget?.();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (isLoadFailure(error)) return <ErrorState error={new ServerUnreachable()} retry={() => location.reload()} />;
    return (
      <EmptyState wholePage title="This page stopped working" actions={<Button onClick={() => location.reload()}>Load it again</Button>}>
        Nothing was changed on the server. The reason, for a report: <code className="mono">{error.message}</code>
      </EmptyState>
    );
  }
}
