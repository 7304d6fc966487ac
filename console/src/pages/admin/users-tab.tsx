import { Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, Clock, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { pluralize } from '../../format/numbers.ts';
import { useSession } from '../../shell/session.tsx';
import { InviteLinkDialog, NewPersonDialog, PersonDialog } from './person-dialogs.tsx';

export function UsersTab() {
  const { me } = useSession();
  const client = useQueryClient();
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const roles = useQuery({ queryKey: ['roles'], queryFn: people.roles });
  const [adding, setAdding] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<Principal | null>(null);
  const [editing, setEditing] = useState<Principal | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['users'] });
  const update = useMutation({
    mutationFn: ({ user, patch }: { user: Principal; patch: { global_role?: string; disabled?: boolean } }) =>
      people.updateUser(user.id, patch),
    onSuccess: async (user) => {
      await refresh();
      toast(`${user.username} saved`);
    },
  });
  const renew = useMutation({ mutationFn: (user: Principal) => people.renewInvitation(user.id), onSuccess: (made) => setLink(made.link) });
  if (users.error) return <ErrorState error={users.error} retry={() => void users.refetch()} />;
  if (!users.data) return <Loading what="people" />;
  const roleData = (roles.data ?? []).map((r) => ({ value: r.name, label: r.display_name }));
  return (
    <Card
      title={
        <>
          <h2 className="h3">People</h2>
          <span className="muted">{pluralize(users.data.length, 'account')}</span>
        </>
      }
      aside={
        <Button size="s" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden />
          New person
        </Button>
      }
    >
      <ErrorNote error={update.error ?? renew.error} />
      <Table
        rows={users.data}
        keyOf={(user) => user.id}
        columns={[
          {
            head: 'Name',
            className: 'm5',
            cell: (user) => (
              <>
                {user.username} {user.id === me?.id && <span className="muted">(you)</span>}
              </>
            ),
          },
          { head: 'Email', className: 't2', wideOnly: true, cell: (user) => user.email ?? '' },
          {
            head: 'Role',
            cell: (user) => (
              <Select
                aria-label={`Role of ${user.username}`}
                w={160}
                size="sm"
                allowDeselect={false}
                data={roleData.length ? roleData : [user.global_role]}
                value={user.global_role}
                onChange={(role) => role && role !== user.global_role && update.mutate({ user, patch: { global_role: role } })}
              />
            ),
          },
          { head: 'From', className: 't2', wideOnly: true, cell: (user) => <RoleSource user={user} /> },
          { head: 'Status', wideOnly: true, cell: (user) => <AccountStatus user={user} /> },
        ]}
        actions={(user) =>
          user.id !== me?.id && (
            <RowActions name={user.username} onEdit={() => setEditing(user)} onRemove={() => setDeleting(user)}>
              {user.invited && !user.disabled && (
                <Button size="s" onClick={() => renew.mutate(user)} aria-label={`New link for ${user.username}`}>
                  New link
                </Button>
              )}
              <Button
                size="s"
                onClick={() => update.mutate({ user, patch: { disabled: !user.disabled } })}
                aria-label={`${user.disabled ? 'Enable' : 'Disable'} ${user.username}`}
              >
                {user.disabled ? 'Enable' : 'Disable'}
              </Button>
            </RowActions>
          )
        }
      />
      {editing && <PersonDialog user={editing} onClose={() => setEditing(null)} onDone={() => void refresh()} />}
      {adding && (
        <NewPersonDialog
          roles={roleData}
          onClose={() => setAdding(false)}
          onDone={(made) => {
            setLink(made);
            void refresh();
          }}
        />
      )}
      {link && <InviteLinkDialog link={link} onClose={() => setLink(null)} />}
      <ConfirmDialog
        opened={deleting !== null}
        title={`Remove ${deleting?.username}?`}
        typeName={deleting?.username}
        confirm={`Remove ${deleting?.username}`}
        danger
        onConfirm={async () => {
          if (!deleting) return;
          await people.deleteUser(deleting.id);
          await refresh();
          toast(`${deleting.username} removed`);
        }}
        onClose={() => setDeleting(null)}
      >
        They are signed out and their rules are removed. Tags and notes they added are kept. To block access temporarily, disable the
        account instead.
      </ConfirmDialog>
    </Card>
  );
}

/** Where the account and its role come from, and when it was last used. */
function RoleSource({ user }: { user: Principal }) {
  const source = { local: 'Local', oidc: 'Single sign-on', ldap: 'Directory', header: 'Proxy' }[user.role_source] ?? user.role_source;
  return (
    <>
      {source}
      {user.role_reason && <span className="meta muted"> · {user.role_reason}</span>}
      <div className="meta muted">{user.last_login_at ? `signed in ${timeAgo(user.last_login_at)}` : 'never signed in'}</div>
    </>
  );
}

function AccountStatus({ user }: { user: Principal }) {
  return user.disabled ? (
    <StatusText tone="idle" icon={CircleSlash}>
      Disabled
    </StatusText>
  ) : user.invited ? (
    <StatusText tone="idle" icon={Clock}>
      Invited
    </StatusText>
  ) : (
    <StatusText tone="ok" icon={CircleCheck}>
      Active
    </StatusText>
  );
}
