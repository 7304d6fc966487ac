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
