import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { retryNow, useConnection } from '../api/connection.ts';
import { LinkButton } from '../parts/button.tsx';
import s from './away-bar.module.css';

/** Under the top bar while the server does not answer. Forms keep their text. */
export function AwayBar() {
  const connection = useConnection();
  const [, tick] = useState(0);
  useEffect(() => {
    if (!connection.away) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [connection.away]);
  if (!connection.away) return null;
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
