import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import s from './away-bar.module.css';
import { loadUpdate, watchForUpdate } from './update.ts';

/** A new version waits until the person wants it; nothing reloads by itself. */
export function UpdateOffer() {
  const [newer, setNewer] = useState<ServiceWorkerRegistration | null>(null);
  const [loading, setLoading] = useState(false);
  useEffect(() => {
    // Where a browser refuses to install (a private window, a certificate nobody signed) the console works without.
    if (import.meta.env.PROD && 'serviceWorker' in navigator) void watchForUpdate(navigator.serviceWorker, setNewer).catch(() => {});
  }, []);
  if (!newer) return null;
  const load = () => {
    setLoading(true);
    void loadUpdate(newer);
  };
  return (
    <div className={s.bar} role="status">
      <Download size={16} aria-hidden />
      <span>{loading ? 'Loading the new version…' : 'A new version of Catalog is ready.'}</span>
      <span className="grow" />
      <Button size="s" onClick={load} disabled={loading}>
        Load it
      </Button>
      <Button size="s" variant="ghost" onClick={() => setNewer(null)} disabled={loading}>
        Later
      </Button>
    </div>
  );
}
