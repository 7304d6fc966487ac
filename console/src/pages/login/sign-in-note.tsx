import { CircleAlert, Clock, TriangleAlert, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { retryNow, useConnection } from '../../api/connection.ts';
import { PasskeyNotUsed } from '../../api/factors.ts';
import { errorMessage, Problem, ServerUnreachable } from '../../api/problem.ts';
import { LinkButton } from '../../components/button.tsx';
import { Note } from '../../components/status.tsx';
import { formatTime } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './login-page.module.css';

type Tone = 'danger' | 'warn' | 'idle';
const ICONS = { danger: CircleAlert, warn: TriangleAlert, idle: Clock };

/** What happened in bold, and what to do next below it. */
export function TitledNote({ tone, title, children }: { tone: Tone; title: string; children?: ReactNode }) {
  return (
    <Note tone={tone} icon={ICONS[tone]} live className={s.note}>
      <b className="b">{title}</b>
      {children && <p className="t2">{children}</p>}
    </Note>
  );
}

/** Why an attempt to sign in failed. It says the same about names that no account has. */
export function SignInNote({ error, name }: { error: Error; name: string }) {
  if (error instanceof ServerUnreachable) return <ServerAwayNote />;
  if (error instanceof PasskeyNotUsed)
    return (
      <TitledNote tone="warn" title={t('No passkey was used.')}>
        {t('The browser closed its window. Try again, or use your password.')}
      </TitledNote>
    );
  if (!(error instanceof Problem)) return <TitledNote tone="danger" title={errorMessage(error)} />;
  const { attempts_left: left, lock_seconds: lock, retry_seconds: retry } = error.body;
  const pause = left === 0 ? lock : retry;
  if (typeof pause === 'number' && name)
    return (
      <TitledNote
        tone="danger"
        title={t('Sign-in for {name} is paused until {time}.', { name, time: formatTime(new Date(Date.now() + pause * 1000)) })}
      >
        {left === 0 ? error.message : t('Too many attempts failed. Your account is unchanged.')}
      </TitledNote>
    );
  return (
    <TitledNote tone="danger" title={errorMessage(error)}>
      {typeof left === 'number' &&
        typeof lock === 'number' &&
        (left === 1
          ? t('One more try, then sign-in for {name} pauses for {minutes|# minute|# minutes}.', { name, minutes: minutesOf(lock) })
          : t('{left} more tries, then sign-in for {name} pauses for {minutes|# minute|# minutes}.', {
              left,
              name,
              minutes: minutesOf(lock),
            }))}
    </TitledNote>
  );
}

const minutesOf = (seconds: number): number => Math.max(1, Math.round(seconds / 60));

/** Shown while the server cannot be reached; it goes away by itself. */
export function ServerAwayNote() {
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
    <Note tone="warn" icon={WifiOff} className={s.note}>
      <b className="b" role="status">
        {t('The server is not responding.')}
      </b>
      <p className="t2">
        {t('Retrying in {seconds} s.', { seconds })} <LinkButton onClick={retryNow}>{t('Retry now')}</LinkButton>
      </p>
    </Note>
  );
}

/** Why the session that this browser had is over, as far as the server tells. */
export function SignedOutNote({ ended }: { ended: { reason: string; hours: number } }) {
  const days = Math.round(ended.hours / 24);
  const hours = Math.max(1, Math.round(ended.hours));
  const title =
    ended.reason === 'inactivity'
      ? days >= 2
        ? t('You were signed out after {days|# day|# days} without activity.', { days })
        : t('You were signed out after {hours|# hour|# hours} without activity.', { hours })
      : days >= 2
        ? t('You were signed out after {days|# day|# days}.', { days })
        : t('You were signed out after {hours|# hour|# hours}.', { hours });
  return (
    <TitledNote tone="idle" title={title}>
      {t('Your page opens again after you sign in.')}
    </TitledNote>
  );
}
