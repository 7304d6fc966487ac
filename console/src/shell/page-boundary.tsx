import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/states.tsx';

const RELOADED = 'catalog.reloaded-for-new-version';

/** Keeps a fault in one page from taking the console down. After an upgrade the old page's parts are gone; then the page loads once more. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    const partGone = /dynamically imported module|Importing a module script failed|error loading/i.test(error.message);
    if (partGone && !sessionStorage.getItem(RELOADED)) {
      sessionStorage.setItem(RELOADED, '1');
      location.reload();
    }
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <EmptyState wholePage title="This page stopped working" actions={<Button onClick={() => location.reload()}>Load it again</Button>}>
        Nothing was changed on the server. The reason, for a report: <code className="mono">{this.state.error.message}</code>
      </EmptyState>
    );
  }
}
