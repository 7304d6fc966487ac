import { useEffect } from 'react';

const OVER = '[role="dialog"], [role="alertdialog"]';

/**
 * A dialog that leaves the page takes the focus with it; then it goes back to what had it before the dialog opened.
 * Dialogs lie outside the console's own root, so only what stands beside it is watched, and scrolling costs nothing.
 */
export function useRestoreFocus(): void {
  useEffect(() => {
    let before: HTMLElement | null = null;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== document.body && !target.closest(`${OVER}, [role="menu"], [role="listbox"]`))
        before = target;
    };
    const giveBack = () => {
      if (document.activeElement !== document.body || document.querySelector(OVER)) return;
      if (before?.isConnected) before.focus({ preventScroll: true });
    };
    const holdsDialog = (node: Node) => node instanceof Element && (node.matches(OVER) || node.querySelector(OVER) !== null);
    const beside = new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        for (const node of addedNodes)
          if (node.parentNode === document.body && node instanceof Element && node.id !== 'root')
            beside.observe(node, { childList: true, subtree: true });
        if ([...removedNodes].some(holdsDialog)) setTimeout(giveBack, 0);
      }
    });
    document.addEventListener('focusin', remember);
    beside.observe(document.body, { childList: true });
    for (const node of document.body.children) if (node.id !== 'root') beside.observe(node, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      beside.disconnect();
    };
  }, []);
}
