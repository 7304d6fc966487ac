import { Checkbox, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderLock, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import * as factors from '../../api/factors.ts';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { changedOnly, FormDialog, NameField } from '../../components/form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { deviceName } from '../account/device-name.ts';
import { SignInList } from '../account/sign-ins-card.tsx';
import { passwordStrength } from '../first-visit/password.ts';
import { ruleHref } from './new-rule.tsx';
import { PersonAccess } from './person-access.tsx';

/** A person who was just created, or whose link was renewed. */
export interface CreatedPerson {
  user: Principal;
  /** The link to choose a password, which is shown once. */
  link: string | null;
  /** Whether no rule gives the person access to a folder yet. */
  seesNothing: boolean;
}

/** What is left to do for a person: send the link, and give access to a folder. */
export function NextStepsDialog({ person: { user, link, seesNothing }, onClose }: { person: CreatedPerson; onClose: () => void }) {
  const address = link && new URL(link, location.href).href;
  return (
    <Modal
      opened
      onClose={onClose}
      title={address ? t('Send this link') : t('{username} can now sign in', { username: user.username })}
      closeButtonProps={{ 'aria-label': t('Close') }}
      closeOnClickOutside={false}
    >
      {address && (
        <>
          <p className="t2">{t('It works once within 7 days and is shown only now.')}</p>
          <div className="row g2">
            <code className="grow" style={{ overflowWrap: 'anywhere' }}>
              {address}
            </code>
            <CopyButton text={address} label={t('Copy the link')} />
          </div>
        </>
      )}
      {seesNothing && (
        <div className="col g4" style={{ marginTop: address ? 16 : 0 }}>
          <Note tone="warn" icon={FolderLock}>
            <b className="b">{t('{username} cannot see any files yet.', { username: user.username })}</b>{' '}
            <span className="t2">{t('Add a rule that allows a library or a folder.')}</span>
          </Note>
          <div className="row g2" style={{ justifyContent: 'flex-end' }}>
            <Button size="l" onClick={onClose}>
              {t('Later')}
            </Button>
            <ButtonLink size="l" variant="primary" href={ruleHref(user.id)}>
              {t('Add a rule')}
            </ButtonLink>
          </div>
        </div>
      )}
    </Modal>
  );
}

interface NewPersonProps {
  roles: { value: string; label: string }[];
  onClose: () => void;
  onDone: (person: { user: Principal; link: string | null }) => void;
}

export function NewPersonDialog(props: NewPersonProps) {
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<string | null>('viewer');
  const [byLink, setByLink] = useState(false);
  const strength = passwordStrength(password);
  return (
    <FormDialog
      title={t('New person')}
      submit={byLink ? t('Create a link') : t('Create account')}
      ready={username.trim() !== '' && (byLink || strength.isEnough)}
      save={async () => {
        const person = { username: username.trim(), global_role: role ?? 'viewer', ...(email.trim() ? { email: email.trim() } : {}) };
        if (!byLink) return { user: await people.createUser({ ...person, password }), link: null };
        return people.invite(person);
      }}
      onSaved={(made) => {
        props.onDone({ user: made.user, link: made.link });
      }}
      onClose={props.onClose}
    >
      {(errorAt) => (
        <>
          <TextInput
            data-autofocus
            label={t('User name')}
            autoComplete="off"
            value={username}
            error={errorAt('username')}
            onChange={(e) => setUsername(e.currentTarget.value)}
          />
          <TextInput
            label={t('Email')}
            description={t('Optional')}
            value={email}
            error={errorAt('email')}
            onChange={(e) => setEmail(e.currentTarget.value)}
          />
          <Checkbox
            label={t('Let the person choose a password')}
            description={t('You get a link that works once within 7 days.')}
            checked={byLink}
            onChange={(e) => setByLink(e.currentTarget.checked)}
          />
          {!byLink && (
            <PasswordInput
              label={t('Password')}
              autoComplete="new-password"
              description={strength.text}
              value={password}
              error={errorAt('password')}
              onChange={(e) => setPassword(e.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
            />
          )}
          <Select
            label={t('Role')}
            description={t('Viewers see only the folders that a rule gives them access to.')}
            allowDeselect={false}
            data={props.roles.length ? props.roles : ['admin', 'user', 'viewer']}
            value={role}
            error={errorAt('global_role')}
            onChange={setRole}
          />
        </>
      )}
    </FormDialog>
  );
}

export function PersonDialog({ user, onClose, onDone }: { user: Principal; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState(user.display_name ?? '');
  const [email, setEmail] = useState(user.email ?? '');
  const [password, setPassword] = useState('');
  const [revokeKeys, setRevokeKeys] = useState(false);
  const strength = passwordStrength(password);
  const reset = useMutation({ mutationFn: () => factors.resetFactors(user.id) });
  const isExternal = user.auth_provider === 'ldap' || user.auth_provider === 'oidc';
  return (
    <FormDialog
      title={user.username}
      submit={t('Save')}
      ready={password === '' || strength.isEnough}
      save={() =>
        people.updateUser(user.id, {
          ...changedOnly(user, { display_name: name.trim() || null, email: email.trim() || null }),
          ...(password ? { password, revoke_api_keys: revokeKeys } : {}),
        })
      }
      onSaved={() => {
        toast(
          password
            ? t('Password of {username} changed. All their sessions were signed out.', { username: user.username })
            : t('{username} saved', { username: user.username }),
        );
        onDone();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <NameField value={name} onChange={setName} maxLength={200} error={errorAt('display_name')} />
          <TextInput label={t('Email')} value={email} error={errorAt('email')} onChange={(e) => setEmail(e.currentTarget.value)} />
          {!isExternal && (
            <PasswordInput
              label={t('New password')}
              autoComplete="new-password"
              description={password ? strength.text : t('Leave empty to keep the current password.')}
              value={password}
              error={errorAt('password')}
              onChange={(e) => setPassword(e.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
            />
          )}
          {password && user.api_keys > 0 && (
            <Checkbox
              label={t('Also revoke {n|their API key|their # API keys}', { n: user.api_keys })}
              checked={revokeKeys}
              onChange={(e) => setRevokeKeys(e.currentTarget.checked)}
            />
          )}
          {!isExternal && (
            <div>
              <Button size="s" onClick={() => reset.mutate()} disabled={reset.isPending || reset.isSuccess}>
                {reset.isSuccess ? t('Second factors removed') : t('Remove second factors')}
              </Button>
              <ErrorNote error={reset.error} />
            </div>
          )}
          <PersonAccess user={user} />
          <Sessions user={user} />
          <SignIns user={user} />
        </>
      )}
    </FormDialog>
  );
}

function SignIns({ user }: { user: Principal }) {
  const history = useQuery({ queryKey: ['users', user.id, 'sign-ins'], queryFn: () => people.userSignIns(user.id) });
  return (
    <section>
      <h3 className="b">{t('Sign-in history')}</h3>
      <ErrorNote error={history.error} />
      {history.data?.length === 0 && <p className="meta muted">{t('Nobody has signed in with this account yet.')}</p>}
      <SignInList rows={history.data ?? []} />
    </section>
  );
}

function Sessions({ user }: { user: Principal }) {
  const client = useQueryClient();
  const sessions = useQuery({ queryKey: ['users', user.id, 'sessions'], queryFn: () => people.userSessions(user.id) });
  const end = useMutation({
    mutationFn: () => people.endUserSessions(user.id),
    onSuccess: () => {
      toast(t('{username} was signed out everywhere', { username: user.username }));
      void client.invalidateQueries({ queryKey: ['users', user.id, 'sessions'] });
    },
  });
  return (
    <section>
      <div className="row g2">
        <h3 className="b grow">{sessions.data ? t('{n|# session|# sessions}', { n: sessions.data.length }) : t('Sessions')}</h3>
        {(sessions.data?.length ?? 0) > 0 && (
          <Button size="s" onClick={() => end.mutate()} disabled={end.isPending}>
            {t('Sign out everywhere')}
          </Button>
        )}
      </div>
      <ul>
        {sessions.data?.slice(0, 5).map((session) => (
          <li key={session.id} className="row g2 meta t2" style={{ padding: '4px 0' }}>
            <MonitorSmartphone size={14} aria-hidden />
            {t('{deviceName} · {ip_address} · last active {last_seen_at}', {
              deviceName: deviceName(session.user_agent),
              ip_address: session.ip_address,
              last_seen_at: timeAgo(session.last_seen_at),
            })}
          </li>
        ))}
      </ul>
      <ErrorNote error={sessions.error ?? end.error} />
    </section>
  );
}
