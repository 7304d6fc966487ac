import { Checkbox, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import * as factors from '../../api/factors.ts';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FormDialog, NameField } from '../../components/form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { pluralize } from '../../format/numbers.ts';
import { deviceName } from '../account/device-name.ts';
import { SignInList } from '../account/sign-ins-card.tsx';
import { passwordStrength } from '../first-visit/password.ts';
import { PersonAccess } from './person-access.tsx';

/** The link of an invitation, which is shown once. */
export function InviteLinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const address = new URL(link, location.href).href;
  return (
    <Modal opened onClose={onClose} title="Send this link" closeButtonProps={{ 'aria-label': 'Close' }}>
      <p className="t2">It works once within 7 days and is shown only now.</p>
      <div className="row g2">
        <code className="grow" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </code>
        <CopyButton text={address} label="Copy the link" />
      </div>
    </Modal>
  );
}

interface NewPersonProps {
  roles: { value: string; label: string }[];
  onClose: () => void;
  /** With the link of an invitation, if one was made. */
  onDone: (link: string | null) => void;
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
      title="New person"
      submit={byLink ? 'Create a link' : 'Create account'}
      ready={username.trim() !== '' && (byLink || strength.isEnough)}
      save={async () => {
        const person = { username: username.trim(), global_role: role ?? 'viewer', ...(email.trim() ? { email: email.trim() } : {}) };
        if (!byLink) return { user: await people.createUser({ ...person, password }), link: null };
        return people.invite(person);
      }}
      onSaved={(made) => {
        toast(made.link ? `${made.user.username} can choose a password with the link` : `${made.user.username} can now sign in`);
        props.onDone(made.link);
      }}
      onClose={props.onClose}
    >
      {(errorAt) => (
        <>
          <TextInput
            data-autofocus
            label="Username"
            autoComplete="off"
            value={username}
            error={errorAt('username')}
            onChange={(e) => setUsername(e.currentTarget.value)}
          />
          <TextInput
            label="Email"
            description="Optional"
            value={email}
            error={errorAt('email')}
            onChange={(e) => setEmail(e.currentTarget.value)}
          />
          <Checkbox
            label="Let the person choose a password"
            description="You get a link that works once within 7 days."
            checked={byLink}
            onChange={(e) => setByLink(e.currentTarget.checked)}
          />
          {!byLink && (
            <PasswordInput
              label="Password"
              autoComplete="new-password"
              description={strength.text}
              value={password}
              error={errorAt('password')}
              onChange={(e) => setPassword(e.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
            />
          )}
          <Select
            label="Role"
            description="Viewers see only the folders that a rule gives them access to."
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
      submit="Save"
      ready={password === '' || strength.isEnough}
      save={() =>
        people.updateUser(user.id, {
          display_name: name.trim() || null,
          email: email.trim() || null,
          ...(password ? { password, revoke_api_keys: revokeKeys } : {}),
        })
      }
      onSaved={() => {
        toast(password ? `Password of ${user.username} changed. All their sessions were signed out.` : `${user.username} saved`);
        onDone();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <NameField value={name} onChange={setName} maxLength={200} error={errorAt('display_name')} />
          <TextInput label="Email" value={email} error={errorAt('email')} onChange={(e) => setEmail(e.currentTarget.value)} />
          {!isExternal && (
            <PasswordInput
              label="New password"
              autoComplete="new-password"
              description={password ? strength.text : 'Leave empty to keep the current password.'}
              value={password}
              error={errorAt('password')}
              onChange={(e) => setPassword(e.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
            />
          )}
          {password && user.api_keys > 0 && (
            <Checkbox
              label={`Also revoke ${user.api_keys === 1 ? 'their API key' : `their ${user.api_keys} API keys`}`}
              checked={revokeKeys}
              onChange={(e) => setRevokeKeys(e.currentTarget.checked)}
            />
          )}
          {!isExternal && (
            <div>
              <Button size="s" onClick={() => reset.mutate()} disabled={reset.isPending || reset.isSuccess}>
                {reset.isSuccess ? 'Second factors removed' : 'Remove second factors'}
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
      <h3 className="b">Sign-in history</h3>
      <ErrorNote error={history.error} />
      {history.data?.length === 0 && <p className="meta muted">Nobody has signed in with this account yet.</p>}
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
      toast(`${user.username} was signed out everywhere`);
      void client.invalidateQueries({ queryKey: ['users', user.id, 'sessions'] });
    },
  });
  return (
    <section>
      <div className="row g2">
        <h3 className="b grow">{sessions.data ? pluralize(sessions.data.length, 'session') : 'Sessions'}</h3>
        {(sessions.data?.length ?? 0) > 0 && (
          <Button size="s" onClick={() => end.mutate()} disabled={end.isPending}>
            Sign out everywhere
          </Button>
        )}
      </div>
      <ul>
        {sessions.data?.slice(0, 5).map((session) => (
          <li key={session.id} className="row g2 meta t2" style={{ padding: '4px 0' }}>
            <MonitorSmartphone size={14} aria-hidden />
            {deviceName(session.user_agent)} · {session.ip_address} · last active {timeAgo(session.last_seen_at)}
          </li>
        ))}
      </ul>
      <ErrorNote error={sessions.error ?? end.error} />
    </section>
  );
}
