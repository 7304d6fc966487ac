import { useQuery } from '@tanstack/react-query';
import { Download, KeyRound, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { retryNow, useConnection } from '../api/connection.ts';
import { about } from '../api/operations.ts';
import { Button, LinkButton } from '../components/button.tsx';
import { t } from '../language/text.ts';
import s from './notice-bars.module.css';
import { useSession } from './session.tsx';

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
      <span role="status">{t('The server is not responding. Your input is kept.')}</span>
      <span className="sm-hide">{t('Retrying in {seconds} s.', { seconds })}</span>
      <LinkButton onClick={retryNow}>{t('Retry now')}</LinkButton>
    </div>
  );
}

/** Tells administrators that stored secrets, or certificates of agents, do not belong to the configured keys. */
export function KeysBar() {
  const { can } = useSession();
  const facts = useQuery({ queryKey: ['about'], queryFn: about, staleTime: 600_000, enabled: can('admin') });
  const keys = facts.data?.key_fingerprints;
  const message = keys?.secret_key.message ?? keys?.ca_root?.message;
  if (!message) return null;
  return (
    <div className={s.bar} data-tone="danger" role="alert">
      <KeyRound size={16} aria-hidden />
      <span>{message}</span>
    </div>
  );
}

/*
 * Updating the service worker that caches the console.
 *   current   the active worker serves the console; an open page checks for a newer one at most once an hour
 *   offered   a newer worker is installed and waits; the page keeps using the old one until the user agrees
 *   loading   the newer worker is told to activate, and only this page reloads.
 *             Activation waits for the old worker's open requests, which can take minutes. After ACTIVATION_TIMEOUT_MS the worker is
 *             unregistered instead, so that the reload gets the new version from the server and installs it again.
 * If another tab has already activated the new worker, none is waiting and the page just reloads.
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
  // An installation may have started before this listener was added.
  registration.installing?.addEventListener('statechange', offerIfNewer);
  offerIfNewer();
  let checkedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - checkedAt < UPDATE_CHECK_INTERVAL_MS) return;
    checkedAt = Date.now();
    // Fails without a network, which ConnectionBar already reports.
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
    const timeout = setTimeout(resolve, ACTIVATION_TIMEOUT_MS, false);
    worker.addEventListener('statechange', () => {
      clearTimeout(timeout);
      resolve(worker.state !== 'redundant');
    });
    worker.postMessage({ type: 'SKIP_WAITING' });
  });
}

/** Offers a new version; the page never reloads on its own. */
export function UpdateBar() {
  const [newer, setNewer] = useState<ServiceWorkerRegistration | null>(null);
  const [loading, setLoading] = useState(false);
  useEffect(() => {
    // Registration fails in private windows and with untrusted certificates; the console works without a service worker.
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
      <span>{loading ? t('Loading the new version…') : t('A new version of Catalog is available.')}</span>
      <span className="grow" />
      <Button size="s" onClick={load} disabled={loading}>
        {t('Reload')}
      </Button>
      <Button size="s" variant="ghost" onClick={() => setNewer(null)} disabled={loading}>
        {t('Later')}
      </Button>
    </div>
  );
}
