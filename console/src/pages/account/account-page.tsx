import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMantineColorScheme, PasswordInput, TextInput } from '@mantine/core';
import { KeyRound, LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Session, Principal } from '../../api/types.ts';
import { formatRecent, timeAgo } from '../../format/dates.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loading } from '../../components/states.tsx';
import { StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { setPreference, usePreferences } from '../../shell/preferences.ts';
import { signOut, useSession } from '../../shell/session.tsx';
import { Form } from '../../components/form.tsx';
import { passwordStrength } from '../first-visit/password.ts';
import s from './account-page.module.css';
import { ApiKeysCard } from './api-keys-card.tsx';
import { deviceName } from './device-name.ts';

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
        <AppearanceCard />
        {me && <ProfileCard me={me} />}
        {me && me.auth_provider !== 'ldap' && me.auth_provider !== 'oidc' && <PasswordCard />}
        {me && <SessionsCard />}
        {(can('admin') || status.mode === 'disabled') && <ApiKeysCard />}
      </div>
    </Page>
  );
}

function AppearanceCard() {
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
              <div className="m5">{deviceName(session.user_agent)}</div>
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

const EMPTY = { now: '', next: '', again: '' };

/** A new password; all other sessions end with the old one. */
export function PasswordCard() {
  const [typed, setTyped] = useState(EMPTY);
  const strength = passwordStrength(typed.next);
  const field = (name: keyof typeof EMPTY) => ({
    value: typed[name],
    autoComplete: name === 'now' ? 'current-password' : 'new-password',
    visibilityToggleButtonProps: { 'aria-label': 'Show password' },
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => setTyped((all) => ({ ...all, [name]: value })),
  });
  return (
    <Card title="Password">
      <Form
        layout="card"
        submit="Change password"
        ready={typed.now !== '' && strength.enough && typed.again === typed.next}
        save={() => people.changePassword({ current_password: typed.now, new_password: typed.next })}
        onSaved={() => {
          setTyped(EMPTY);
          toast('Password changed; other sessions have ended');
        }}
      >
        {(errorAt) => (
          <>
            <PasswordInput label="Password now" error={errorAt('current_password')} {...field('now')} />
            <PasswordInput label="New password" description={strength.words} error={errorAt('new_password')} {...field('next')} />
            <PasswordInput
              label="New password again"
              error={typed.again && typed.again !== typed.next ? 'The two differ.' : undefined}
              {...field('again')}
            />
          </>
        )}
      </Form>
    </Card>
  );
}

/** How others see me, and where I am reached. */
export function ProfileCard({ me }: { me: Principal }) {
  const client = useQueryClient();
  const [name, setName] = useState(me.display_name ?? '');
  const [email, setEmail] = useState(me.email ?? '');
  const changed = name.trim() !== (me.display_name ?? '') || email.trim() !== (me.email ?? '');
  return (
    <Card title="You">
      <Form
        layout="card"
        submit="Save"
        ready={changed}
        save={() => people.updateMe({ display_name: name.trim() || null, email: email.trim() || null })}
        onSaved={() => {
          toast('Saved');
          void client.invalidateQueries({ queryKey: ['auth'] });
        }}
      >
        {(errorAt) => (
          <>
            <TextInput
              label="Name"
              value={name}
              maxLength={200}
              autoComplete="name"
              error={errorAt('display_name')}
              onChange={(e) => setName(e.currentTarget.value)}
            />
            <TextInput
              label="E-mail"
              value={email}
              autoComplete="email"
              error={errorAt('email')}
              onChange={(e) => setEmail(e.currentTarget.value)}
            />
          </>
        )}
      </Form>
    </Card>
  );
}
