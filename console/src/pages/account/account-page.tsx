import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMantineColorScheme } from '@mantine/core';
import { KeyRound, LogOut, MonitorSmartphone } from 'lucide-react';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Session } from '../../api/types.ts';
import { formatRecent, timeAgo } from '../../format/dates.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loading } from '../../components/states.tsx';
import { StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { setPreference, usePreferences } from '../../shell/preferences.ts';
import { signOut, useSession } from '../../shell/session.tsx';
import s from './account-page.module.css';
import { ApiKeysCard } from './api-keys-card.tsx';
import { deviceWords } from './device-words.ts';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';

/** Me: look, password, sessions, keys. */
export default function AccountPage() {
  const { me, can, status } = useSession();
  return (
    <Page
      title="Account"
      lead={
        me
          ? `${me.display_name || me.username} · ${me.global_role}`
          : 'Sign-in is switched off; everybody who reaches this address may do everything.'
      }
      actions={
        me && (
          <Button onClick={() => void signOut()}>
            <LogOut size={16} aria-hidden />
            Sign out
          </Button>
        )
      }
    >
      <div className={s.cards}>
        <LookCard />
        {me && <ProfileCard me={me} />}
        {me && me.auth_provider !== 'ldap' && me.auth_provider !== 'oidc' && <PasswordCard />}
        {me && <SessionsCard />}
        {(can('admin') || status.mode === 'disabled') && <ApiKeysCard />}
      </div>
    </Page>
  );
}

function LookCard() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { letterKeys } = usePreferences();
  return (
    <Card
      title="Look and keys"
      aside={
        <>
          <TextLink href="/docs/">Manual</TextLink>
          <TextLink href="/api/docs">API reference</TextLink>
        </>
      }
    >
      <div className={s.setting}>
        <span>Appearance</span>
        <Segmented
          label="Appearance"
          value={colorScheme}
          onChange={setColorScheme}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
            { value: 'auto', label: 'As the system' },
          ]}
        />
      </div>
      <div className={s.setting}>
        <span>
          Single-letter keys
          <span className="muted meta" style={{ display: 'block' }}>
            T for tag, N for note and so on.
          </span>
        </span>
        <Segmented
          label="Single-letter keys"
          value={letterKeys ? 'on' : 'off'}
          onChange={(v) => setPreference('letterKeys', v === 'on')}
          options={[
            { value: 'on', label: 'On' },
            { value: 'off', label: 'Off' },
          ]}
        />
      </div>
    </Card>
  );
}

function SessionsCard() {
  const client = useQueryClient();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: people.sessions });
  const refresh = () => client.invalidateQueries({ queryKey: ['sessions'] });
  const end = useMutation({ mutationFn: (session: Session) => people.revokeSession(session.id), onSuccess: refresh });
  const endAll = useMutation({
    mutationFn: people.revokeAllSessions,
    onSuccess: async () => {
      await refresh();
      toast('All other sessions ended');
    },
  });
  return (
    <Card
      title="Sessions"
      aside={
        (sessions.data?.length ?? 0) > 1 && (
          <Button size="s" onClick={() => endAll.mutate()} disabled={endAll.isPending}>
            End all others
          </Button>
        )
      }
    >
      {sessions.error && <p role="alert">{errorMessage(sessions.error)}</p>}
      {!sessions.data && !sessions.error && <Loading what="sessions" />}
      <ul className={s.rows} data-list>
        {sessions.data?.map((session) => (
          <li key={session.id}>
            <MonitorSmartphone size={16} aria-hidden />
            <div className="grow">
              <div className="m5">{deviceWords(session.user_agent)}</div>
              <div className="meta muted">
                {session.ip_address} · since {formatRecent(session.created_at)} · last seen {timeAgo(session.last_seen_at)}
              </div>
            </div>
            {session.current ? (
              <StatusPill tone="ok" icon={KeyRound}>
                this one
              </StatusPill>
            ) : (
              <Button size="s" onClick={() => end.mutate(session)} disabled={end.isPending}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
