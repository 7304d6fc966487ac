import { Checkbox, NativeSelect, PasswordInput, TextInput, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Principal, Session } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loading } from '../../components/states.tsx';
import { StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent, timeAgo } from '../../format/dates.ts';
import { chooseLanguage, chosenLanguage, LANGUAGES, type Language } from '../../language/load.ts';
import { t } from '../../language/text.ts';
import { setPreference, usePreferences } from '../../shell/preferences.ts';
import { signOut, useSession } from '../../shell/session.tsx';
import { passwordStrength } from '../first-visit/password.ts';
import s from './account-page.module.css';
import { ApiKeysCard } from './api-keys-card.tsx';
import { deviceName, methodName } from './device-name.ts';
import { IdentitiesCard } from './identities-card.tsx';
import { SecurityCard } from './security-card.tsx';
import { SignInsCard } from './sign-ins-card.tsx';

export default function AccountPage() {
  const { me, can, status } = useSession();
  return (
    <Page
      title={t('Account')}
      lead={
        me
          ? `${me.display_name || me.username} · ${me.global_role}`
          : t('Sign-in is turned off. Anyone who can reach this address has full access.')
      }
      actions={
        me && (
          <Button onClick={() => void signOut()}>
            <LogOut size={16} aria-hidden />
            {t('Sign out')}
          </Button>
        )
      }
    >
      <div className={s.cards}>
        <div className={s.column}>
          {me && <ProfileCard me={me} />}
          <AppearanceCard />
          {me && <IdentitiesCard me={me} />}
          {me?.auth_provider === 'local' && <SecurityCard />}
          {me && me.auth_provider !== 'ldap' && me.auth_provider !== 'oidc' && <PasswordCard keys={me.api_keys} />}
        </div>
        <div className={s.column}>
          {me && <SessionsCard />}
          {(can('admin') || status.mode === 'disabled') && <ApiKeysCard />}
          {me && <SignInsCard />}
        </div>
      </div>
    </Page>
  );
}

function AppearanceCard() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { letterKeys } = usePreferences();
  return (
    <Card
      title={t('Appearance and shortcuts')}
      aside={
        <>
          <TextLink href="/docs/">{t('Manual')}</TextLink>
          <TextLink href="/api/docs">{t('API reference')}</TextLink>
        </>
      }
    >
      <div className={s.setting}>
        <span>{t('Theme')}</span>
        <Segmented
          label={t('Theme')}
          value={colorScheme}
          onChange={setColorScheme}
          options={[
            { value: 'light', label: t('Light') },
            { value: 'dark', label: t('Dark') },
            { value: 'auto', label: t('Match system') },
          ]}
        />
      </div>
      <div className={s.setting}>
        <span>{t('Language')}</span>
        <NativeSelect
          aria-label={t('Language')}
          value={chosenLanguage() ?? ''}
          onChange={(event) => chooseLanguage((event.currentTarget.value || null) as Language | null)}
          data={[{ value: '', label: t('Browser’s language') }, ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))]}
        />
      </div>
      <div className={s.setting}>
        <span>
          {t('Single-letter shortcuts')}
          <span className="muted meta" style={{ display: 'block' }}>
            {t('For example T to add a tag, N to add a note.')}
          </span>
        </span>
        <Segmented
          label={t('Single-letter shortcuts')}
          value={letterKeys ? 'on' : 'off'}
          onChange={(v) => setPreference('letterKeys', v === 'on')}
          options={[
            { value: 'on', label: t('On') },
            { value: 'off', label: t('Off') },
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
      toast(t('Signed out of all other sessions'));
    },
  });
  return (
    <Card
      title={t('Sessions')}
      aside={
        (sessions.data?.length ?? 0) > 1 && (
          <Button size="s" onClick={() => endAll.mutate()} disabled={endAll.isPending}>
            {t('Sign out of all others')}
          </Button>
        )
      }
    >
      {sessions.error && <p role="alert">{errorMessage(sessions.error)}</p>}
      {!sessions.data && !sessions.error && <Loading what={t('sessions')} />}
      <ul className={s.rows} data-list>
        {sessions.data?.map((session) => (
          <li key={session.id}>
            <MonitorSmartphone size={16} aria-hidden />
            <div className="grow">
              <div className="m5">{deviceName(session.user_agent)}</div>
              <div className="meta muted">
                {t('{ip_address} · {methodName} · signed in {created_at} · last active {last_seen_at}', {
                  ip_address: session.ip_address,
                  methodName: methodName(session.method),
                  created_at: formatRecent(session.created_at),
                  last_seen_at: timeAgo(session.last_seen_at),
                })}
              </div>
            </div>
            {session.current ? (
              <StatusPill tone="ok" icon={KeyRound}>
                {t('This device')}
              </StatusPill>
            ) : (
              <Button size="s" onClick={() => end.mutate(session)} disabled={end.isPending}>
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const EMPTY = { current: '', next: '', repeat: '' };

/** Changing the password also ends all other sessions. API keys stay valid unless the person revokes them here. */
function PasswordCard({ keys }: { keys: number }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(EMPTY);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const strength = passwordStrength(typed.next);
  const field = (name: keyof typeof EMPTY) => ({
    value: typed[name],
    autoComplete: name === 'current' ? 'current-password' : 'new-password',
    visibilityToggleButtonProps: { 'aria-label': t('Show password') },
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => setTyped((all) => ({ ...all, [name]: value })),
  });
  return (
    <Card title={t('Password')}>
      <Form
        layout="card"
        submit={t('Change password')}
        ready={typed.current !== '' && strength.isEnough && typed.repeat === typed.next}
        save={() => people.changePassword({ current_password: typed.current, new_password: typed.next, revoke_api_keys: revokeKeys })}
        onSaved={() => {
          setTyped(EMPTY);
          setRevokeKeys(false);
          if (revokeKeys) for (const queryKey of [['auth'], ['api-keys']]) void client.invalidateQueries({ queryKey });
          toast(t('Password changed. You were signed out on all other devices.'));
        }}
      >
        {(errorAt) => (
          <>
            <PasswordInput label={t('Current password')} error={errorAt('current_password')} {...field('current')} />
            <PasswordInput label={t('New password')} description={strength.text} error={errorAt('new_password')} {...field('next')} />
            <PasswordInput
              label={t('Confirm new password')}
              error={typed.repeat && typed.repeat !== typed.next ? t('The passwords do not match.') : undefined}
              {...field('repeat')}
            />
            {keys > 0 && (
              <Checkbox
                label={t('Also revoke {n|my API key|my # API keys}', { n: keys })}
                description={t('Otherwise scripts that use them keep working.')}
                checked={revokeKeys}
                onChange={(e) => setRevokeKeys(e.currentTarget.checked)}
              />
            )}
          </>
        )}
      </Form>
    </Card>
  );
}

function ProfileCard({ me }: { me: Principal }) {
  const client = useQueryClient();
  const [name, setName] = useState(me.display_name ?? '');
  const [email, setEmail] = useState(me.email ?? '');
  const [username, setUsername] = useState(me.username);
  const local = me.auth_provider === 'local';
  const changed = name.trim() !== (me.display_name ?? '') || email.trim() !== (me.email ?? '') || username.trim() !== me.username;
  return (
    <Card title={t('Profile')}>
      <Form
        layout="card"
        submit={t('Save')}
        ready={changed && username.trim() !== ''}
        save={() =>
          people.updateMe({
            display_name: name.trim() || null,
            email: email.trim() || null,
            ...(local ? { username: username.trim() } : {}),
          })
        }
        onSaved={() => {
          toast(t('Profile saved'));
          void client.invalidateQueries({ queryKey: ['auth'] });
        }}
      >
        {(errorAt) => (
          <>
            <TextInput
              label={t('Name')}
              value={name}
              maxLength={200}
              autoComplete="name"
              error={errorAt('display_name')}
              onChange={(e) => setName(e.currentTarget.value)}
            />
            <TextInput
              label={t('Email')}
              value={email}
              autoComplete="email"
              error={errorAt('email')}
              onChange={(e) => setEmail(e.currentTarget.value)}
            />
            {local && (
              <TextInput
                label={t('User name')}
                description={t('You sign in with it.')}
                value={username}
                maxLength={64}
                autoComplete="username"
                error={errorAt('username')}
                onChange={(e) => setUsername(e.currentTarget.value)}
              />
            )}
          </>
        )}
      </Form>
    </Card>
  );
}
