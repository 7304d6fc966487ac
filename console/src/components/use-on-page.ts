import { useEffect, useRef } from 'react';

/** Whether the component is still on the page, for what ends after it was closed. */
export function useOnPage(): { readonly current: boolean } {
  const onPage = useRef(true);
  useEffect(() => {
    onPage.current = true;
    return () => {
      onPage.current = false;
    };
  }, []);
  return onPage;
}

/** Closes a dialog when something ends, unless it was closed meanwhile: the page may show another one by then. */
export function useCloseHere(onClose: () => void): () => void {
  const onPage = useOnPage();
  return () => {
    if (onPage.current) onClose();
  };
}
