import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { FormDialog } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { strengthOf } from '../first-visit/password.ts';

/** A new account with its first password. */
export function AddPerson(props: { roles: { value: string; label: string }[]; onClose: () => void; onDone: () => void }) {
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<string | null>('viewer');
  const strength = strengthOf(password);
  return (
    <FormDialog
      title="New person"
      submit="Create account"
      ready={username.trim() !== '' && strength.enough}
      save={() =>
        people.createUser({
          username: username.trim(),
          password,
          global_role: role ?? 'viewer',
          ...(email.trim() ? { email: email.trim() } : {}),
        })
      }
      onSaved={(user) => {
        toast(`${user.username} can sign in now`);
        props.onDone();
      }}
      onClose={props.onClose}
    >
      {(errorAt) => (
        <>
          <TextInput
            data-autofocus
            label="User name"
            autoComplete="off"
            value={username}
            error={errorAt('username')}
            onChange={(e) => setUsername(e.currentTarget.value)}
          />
          <TextInput
            label="E-mail"
            description="May stay empty."
            value={email}
            error={errorAt('email')}
            onChange={(e) => setEmail(e.currentTarget.value)}
          />
          <PasswordInput
            label="First password"
            autoComplete="new-password"
            description={strength.words}
            value={password}
            error={errorAt('password')}
            onChange={(e) => setPassword(e.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          />
          <Select
            label="Role"
            description="A viewer sees only what a rule opens to them."
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
