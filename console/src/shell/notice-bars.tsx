import { WifiOff, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { retryNow, useConnection } from '../api/connection.ts';
import { LinkButton, Button } from '../components/button.tsx';
import s from './notice-bars.module.css';

/** Under the top bar while the server does not answer. Forms keep their text. */
export function ConnectionBar() {
  const connection = useConnection();
  const [, tick] = useState(0);
  useEffect(() => {
    if (!connection.unreachable) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [connection.unreachable]);
  if (!connection.unreachable) return null;
  const seconds = Math.max(0, Math.ceil((connection.nextTryAt - Date.now()) / 1000));
  return (
    <div className={s.bar}>
      <WifiOff size={16} aria-hidden />
      <span role="status">The server does not answer. Your text is kept.</span>
      <span className="sm-hide">Trying again in {seconds} s.</span>
      <LinkButton onClick={retryNow}>Try now</LinkButton>
    </div>
  );
}

/*
 * The installed shell and its successor.
 *   current   the worker in charge answers for the shell; while the page is open a newer one is looked for, at most every hour
 *   offered   a newer shell is fetched and waits; the page goes on with the old one for as long as the person likes
 *   loading   the person wants it: the newer worker is asked to take over, and this page (no other) is loaded again
 *             A browser lets the old worker finish what it is answering first, which can take minutes. Nobody waits that long: the
 *             installed shell is given up and the page comes from the server, which has the new version anyway; it is installed again.
 * Another tab may have loaded it meanwhile: then nothing waits any more, and loading again is all there is to do.
 */
const ACTIVATION_TIMEOUT_MS = 3000;
const UPDATE_CHECK_INTERVAL_MS = 3_600_000;

export async function watchForUpdate(
  workers: ServiceWorkerContainer,
  offer: (registration: ServiceWorkerRegistration) => void,
): Promise<void> {
  const registration = await workers.register('/sw.js');
  const offerIfNewer = () => {
    if (registration.waiting && registration.active) offer(registration);
  };
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offerIfNewer));
  // It may have been on its way before anybody listened.
  registration.installing?.addEventListener('statechange', offerIfNewer);
  offerIfNewer();
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - looked < UPDATE_CHECK_INTERVAL_MS) return;
    looked = Date.now();
    // Without a network there is nothing to find, and the bar says so already.
    void registration.update().catch(() => {});
  });
}

export async function loadUpdate(registration: ServiceWorkerRegistration, reload: () => void = () => location.reload()): Promise<void> {
  const { waiting } = registration;
  if (waiting && !(await activate(waiting))) await registration.unregister();
  reload();
}

function activate(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, ACTIVATION_TIMEOUT_MS, false);
    worker.addEventListener('statechange', () => {
      clearTimeout(giveUp);
      resolve(worker.state !== 'redundant');
    });
    worker.postMessage({ type: 'SKIP_WAITING' });
  });
}

/** A new version waits until the person wants it; nothing reloads by itself. */
export function UpdateBar() {
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
