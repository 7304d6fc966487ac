import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { timeAgo } from '../../format/dates.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog, NameField } from '../../components/form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { deviceWords } from '../account/device-words.ts';
import { strengthOf } from '../first-visit/password.ts';

/** One account: how it is reached, a new password, and where it is signed in. */
export function PersonDialog({ user, onClose, onDone }: { user: Principal; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState(user.display_name ?? '');
  const [email, setEmail] = useState(user.email ?? '');
  const [password, setPassword] = useState('');
  const strength = strengthOf(password);
  const outside = user.auth_provider === 'ldap' || user.auth_provider === 'oidc';
  return (
    <FormDialog
      title={user.username}
      submit="Save"
      ready={password === '' || strength.enough}
      save={() =>
        people.updateUser(user.id, {
          display_name: name.trim() || null,
          email: email.trim() || null,
          ...(password ? { password } : {}),
        })
      }
      onSaved={() => {
        toast(password ? `${user.username} has a new password and was signed out` : `${user.username} changed`);
        onDone();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <NameField value={name} onChange={setName} maxLength={200} error={errorAt('display_name')} />
          <TextInput label="E-mail" value={email} error={errorAt('email')} onChange={(e) => setEmail(e.currentTarget.value)} />
          {!outside && (
            <PasswordInput
              label="New password"
              autoComplete="new-password"
              description={password ? strength.words : 'Empty: the password stays.'}
              value={password}
              error={errorAt('password')}
              onChange={(e) => setPassword(e.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
            />
          )}
          <Sessions user={user} />
        </>
      )}
    </FormDialog>
  );
}

function Sessions({ user }: { user: Principal }) {
  const client = useQueryClient();
  const sessions = useQuery({ queryKey: ['users', user.id, 'sessions'], queryFn: () => people.userSessions(user.id) });
  const end = useMutation({
    mutationFn: () => people.endUserSessions(user.id),
    onSuccess: () => {
      toast(`${user.username} is signed out everywhere`);
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
            {deviceWords(session.user_agent)} · {session.ip_address} · last seen {timeAgo(session.last_seen_at)}
          </li>
        ))}
      </ul>
      <ErrorNote error={sessions.error ?? end.error} />
    </section>
  );
}
