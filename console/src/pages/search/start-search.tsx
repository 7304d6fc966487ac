import { useRef } from 'react';
import { useOnPage } from '../../components/use-on-page.ts';
import { navigate } from '../../shell/hash-location.ts';
import { SearchBox } from './search-box.tsx';
import { type SearchState, searchHref } from './search-state.ts';

const loadSearchPage = () => import('./search-page.tsx');

interface StartSearchProps {
  /** What the search starts with, besides the words. */
  state?: Partial<SearchState>;
  placeholder?: string;
  load?: () => Promise<unknown>;
}

/** The search box of another page. It has the focus until the search page is loaded, so that no letter is lost. */
export function StartSearch({ state = {}, placeholder, load = loadSearchPage }: StartSearchProps) {
  const box = useRef<HTMLInputElement>(null);
  const onPage = useOnPage();
  const started = useRef(false);
  // Every pause in typing asks for the page, and all of them go on at once when it is there.
  const start = () => {
    const q = box.current?.value;
    if (!q || !onPage.current || started.current) return;
    started.current = true;
    navigate(searchHref({ ...state, q }));
  };
  // A page that cannot be loaded says so itself.
  return <SearchBox value="" inputRef={box} {...(placeholder && { placeholder })} onChange={() => void load().then(start, start)} />;
}
