import { cloneElement, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import type { LoadedMenu, LoadedMenuProps } from './loaded-menu.tsx';
import { usePreload } from './page.tsx';
import { toast } from './toast.tsx';

const loadMenu = () => import('./loaded-menu.tsx');

/** A menu whose code, with that of positioning, is loaded after the page is shown or when the menu is opened for the first time. */
export function LazyMenu(props: LoadedMenuProps) {
  const [loaded, setLoaded] = useState<{ Menu: typeof LoadedMenu } | null>(null);
  usePreload(loadMenu);
  if (loaded) return <loaded.Menu {...props} />;
  return cloneElement(props.target, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () =>
      void loadMenu().then(
        (part) => setLoaded({ Menu: part.LoadedMenu }),
        (error: unknown) => toast(errorMessage(error)),
      ),
  });
}
