import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import s from './away-bar.module.css';

/** A new version waits until the person wants it; nothing reloads by itself. */
export function UpdateOffer() {
  const [update, setUpdate] = useState<(() => Promise<void>) | null>(null);
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    void import('virtual:pwa-register').then(({ registerSW }) => {
      const apply = registerSW({ onNeedRefresh: () => setUpdate(() => () => apply(true)) });
    });
  }, []);
  if (!update) return null;
  return (
    <div className={s.bar} role="status">
      <Download size={16} aria-hidden />
      <span>A new version of Catalog is ready.</span>
      <span className="grow" />
      <Button size="s" onClick={() => void update()}>
        Load it
      </Button>
      <Button size="s" variant="ghost" onClick={() => setUpdate(null)}>
        Later
      </Button>
    </div>
  );
}
