import { Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, CircleX, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { Problem, sentence } from '../../api/problem.ts';
import type { Principal } from '../../api/types.ts';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { Note, StatusText } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSession } from '../../shell/session.tsx';
import { strengthOf } from '../first-visit/password.ts';
import s from './admin-page.module.css';
import { PersonDialog } from './person-dialog.tsx';

/** People: who they are, what role they have, whether they may come in. */
export function UsersTab() {
  const { me } = useSession();
  const client = useQueryClient();
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const roles = useQuery({ queryKey: ['roles'], queryFn: people.roles });
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Principal | null>(null);
  const [editing, setEditing] = useState<Principal | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['users'] });
  const update = useMutation({
    mutationFn: ({ user, patch }: { user: Principal; patch: { global_role?: string; disabled?: boolean } }) =>
      people.updateUser(user.id, patch),
    onSuccess: async (user) => {
      await refresh();
      toast(`${user.username} changed`);
    },
  });
  if (users.error) return <ErrorState error={users.error} retry={() => void users.refetch()} />;
  if (!users.data) return <Loading what="people" />;
  const roleData = (roles.data ?? []).map((r) => ({ value: r.name, label: r.display_name }));
  return (
    <Card
      title={
        <>
          <h2 className="h3">People</h2>
          <span className="muted">{counted(users.data.length, 'account')}</span>
        </>
      }
      aside={
        <Button size="s" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden />
          New person
        </Button>
      }
    >
      {update.error && (
        <Note tone="danger" icon={CircleX} live>
          {sentence(update.error)}
        </Note>
      )}
      <div className={s.scroll}>
        <table className={s.table}>
          <thead>
            <tr>
              <th>Name</th>
              <th className="sm-hide">E-mail</th>
              <th>Role</th>
              <th className="sm-hide">Status</th>
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody data-list>
            {users.data.map((user) => (
              <tr key={user.id}>
                <td className="m5">
                  {user.username} {user.id === me?.id && <span className="muted">(you)</span>}
                </td>
                <td className="t2 sm-hide">{user.email ?? ''}</td>
                <td>
                  <Select
                    aria-label={`Role of ${user.username}`}
                    w={160}
                    size="sm"
                    allowDeselect={false}
                    data={roleData.length ? roleData : [user.global_role]}
                    value={user.global_role}
                    onChange={(role) => role && role !== user.global_role && update.mutate({ user, patch: { global_role: role } })}
                  />
                </td>
                <td className={user.disabled ? undefined : 'sm-hide'}>
                  {user.disabled ? (
                    <StatusText tone="idle" icon={CircleSlash}>
                      Disabled
                    </StatusText>
                  ) : (
                    <StatusText tone="ok" icon={CircleCheck}>
                      Active
                    </StatusText>
                  )}
                </td>
                <td>
                  {user.id !== me?.id && (
                    <span className={s.actions}>
                      <Button data-main size="s" onClick={() => setEditing(user)} aria-label={`Change ${user.username}`}>
                        Change
                      </Button>
                      <Button
                        size="s"
                        onClick={() => update.mutate({ user, patch: { disabled: !user.disabled } })}
                        aria-label={`${user.disabled ? 'Enable' : 'Disable'} ${user.username}`}
                      >
                        {user.disabled ? 'Enable' : 'Disable'}
                      </Button>
                      <Button size="s" variant="danger" onClick={() => setDeleting(user)} aria-label={`Remove ${user.username}`}>
                        Remove
                      </Button>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {editing && <PersonDialog user={editing} onClose={() => setEditing(null)} onDone={() => void refresh()} />}
      {adding && <AddPerson roles={roleData} onClose={() => setAdding(false)} onDone={() => void refresh()} />}
      <ConfirmDialog
        opened={deleting !== null}
        title={`Remove ${deleting?.username}?`}
        typeName={deleting?.username}
        confirm={`Remove ${deleting?.username}`}
        danger
        onConfirm={async () => {
          await people.deleteUser(deleting!.id);
          await refresh();
          toast(`${deleting!.username} removed`);
        }}
        onClose={() => setDeleting(null)}
      >
        They are signed out and their rules go. Tags and notes they made stay. To keep them out for a while, disable them instead.
      </ConfirmDialog>
    </Card>
  );
}

function AddPerson({ roles, onClose, onDone }: { roles: { value: string; label: string }[]; onClose: () => void; onDone: () => void }) {
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<string | null>('viewer');
  const strength = strengthOf(password);
  const create = useMutation({
    mutationFn: () =>
      people.createUser({
        username: username.trim(),
        password,
        global_role: role ?? 'viewer',
        ...(email.trim() ? { email: email.trim() } : {}),
      }),
    onSuccess: (user) => {
      toast(`${user.username} can sign in now`);
      onDone();
      onClose();
    },
  });
  const problem = create.error instanceof Problem ? create.error : null;
  return (
    <Modal opened onClose={onClose} title="New person" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextInput
          data-autofocus
          label="User name"
          autoComplete="off"
          value={username}
          error={problem?.field('username')}
          onChange={(e) => setUsername(e.currentTarget.value)}
        />
        <TextInput
          label="E-mail"
          description="May stay empty."
          value={email}
          error={problem?.field('email')}
          onChange={(e) => setEmail(e.currentTarget.value)}
        />
        <PasswordInput
          label="First password"
          autoComplete="new-password"
          description={strength.words}
          value={password}
          error={problem?.field('password')}
          onChange={(e) => setPassword(e.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
        />
        <Select
          label="Role"
          description="A viewer sees only what a rule opens to them."
          allowDeselect={false}
          data={roles.length ? roles : ['admin', 'user', 'viewer']}
          value={role}
          onChange={setRole}
        />
        {create.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(create.error)}
          </Note>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button type="submit" variant="primary" size="l" disabled={!username.trim() || !strength.enough || create.isPending}>
            Create account
          </Button>
        </div>
      </form>
    </Modal>
  );
}
