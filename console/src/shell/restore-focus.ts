import { useEffect } from 'react';

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * When a dialog is removed, returns the focus to the element that had it before the dialog opened.
 * Dialogs are rendered outside #root, so only elements beside it are observed, which keeps scrolling cheap.
 */
export function useRestoreFocus(): void {
  useEffect(() => {
    let before: HTMLElement | null = null;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== document.body && !target.closest(`${DIALOG}, [role="menu"], [role="listbox"]`))
        before = target;
    };
    const restore = () => {
      if (document.activeElement !== document.body || document.querySelector(DIALOG)) return;
      if (before?.isConnected) before.focus({ preventScroll: true });
    };
    const containsDialog = (node: Node) => node instanceof Element && (node.matches(DIALOG) || node.querySelector(DIALOG) !== null);
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        for (const node of addedNodes)
          if (node.parentNode === document.body && node instanceof Element && node.id !== 'root')
            observer.observe(node, { childList: true, subtree: true });
        if ([...removedNodes].some(containsDialog)) setTimeout(restore, 0);
      }
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true });
    for (const node of document.body.children) if (node.id !== 'root') observer.observe(node, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
