import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Monitor, Smartphone, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './account-page.module.css';
import { deviceName, isPhone, methodName } from './device-name.ts';

/** Where the person is signed in. A network from which nobody had signed in before is marked. */
export function SessionsCard() {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: people.sessions });
  const refresh = () => client.invalidateQueries({ queryKey: ['sessions'] });
  const end = useMutation({ mutationFn: (session: Session) => people.revokeSession(session.id), onSuccess: refresh });
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <Card
      title={
        <h2 className="h3">
          {t('Sessions')} {sessions.data && <span className={s.count}>{sessions.data.length}</span>}
        </h2>
      }
      aside={
        others.length > 0 && (
          <Button size="s" onClick={() => setAsking(true)}>
            {t('Sign out the other {n}', { n: others.length })}
          </Button>
        )
      }
    >
      <ErrorNote error={sessions.error ?? end.error} />
      {!sessions.data && !sessions.error && <Loading what={t('sessions')} />}
      <ul className={s.rows} data-list>
        {sessions.data?.map((session) => (
          <li key={session.id}>
            <SessionIcon session={session} />
            <div className="grow">
              <div className="m5">{deviceName(session.user_agent)}</div>
              <div className="meta muted">{factsOf(session)}</div>
            </div>
            {session.current ? (
              <StatusPill tone="ok" icon={Check}>
                {t('This device')}
              </StatusPill>
            ) : (
              <Button
                size="s"
                aria-label={t('Sign out {device}', { device: deviceName(session.user_agent) })}
                onClick={() => end.mutate(session)}
                disabled={end.isPending}
              >
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={asking}
        title={t('Sign out the other {n|session|# sessions}?', { n: others.length })}
        confirm={t('Sign out {n|# session|# sessions}', { n: others.length })}
        onConfirm={async () => {
          await people.revokeAllSessions();
          await refresh();
          toast(t('Signed out of all other sessions'));
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t('These devices have to sign in again. This one stays signed in.')}</p>
        <ul className={s.devices}>
          {others.map((session) => (
            <li key={session.id}>
              {deviceName(session.user_agent)} · {session.ip_address}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </Card>
  );
}

function SessionIcon({ session }: { session: Session }) {
  if (session.new_network) return <TriangleAlert size={16} className={s.warn} aria-hidden />;
  return isPhone(session.user_agent) ? <Smartphone size={16} aria-hidden /> : <Monitor size={16} aria-hidden />;
}

function factsOf(session: Session): string {
  return [
    session.new_network ? t('New network: {address}', { address: session.ip_address }) : session.ip_address,
    methodName(session.method),
    session.current
      ? t('since {time}', { time: formatRecent(session.created_at) })
      : t('last seen {time}', { time: formatRecent(session.last_seen_at) }),
  ]
    .filter(Boolean)
    .join(' · ');
}
