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
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import { type CreatedPerson, NewPersonDialog, NextStepsDialog, PersonDialog } from './person-dialogs.tsx';

export function UsersTab() {
  const { me } = useSession();
  const client = useQueryClient();
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const roles = useQuery({ queryKey: ['roles'], queryFn: people.roles });
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<CreatedPerson | null>(null);
  const [deleting, setDeleting] = useState<Principal | null>(null);
  const [editing, setEditing] = useState<Principal | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['users'] });
  const update = useMutation({
    mutationFn: ({ user, patch }: { user: Principal; patch: { global_role?: string; disabled?: boolean } }) =>
      people.updateUser(user.id, patch),
    onSuccess: async (user) => {
      await refresh();
      toast(t('{username} saved', { username: user.username }));
    },
  });
  const renew = useMutation({
    mutationFn: (user: Principal) => people.renewInvitation(user.id),
    onSuccess: (made, user) => setCreated({ user, link: made.link, seesNothing: false }),
  });
  if (users.error && !users.data) return <ErrorState error={users.error} retry={() => void users.refetch()} />;
  if (!users.data) return <Loading what={t('people')} />;
  const roleData = (roles.data ?? []).map((r) => ({ value: r.name, label: r.display_name }));
  return (
    <Card
      title={
        <>
          <h2 className="h3">{t('People')}</h2>
          <span className="muted">{t('{n|# account|# accounts}', { n: users.data.length })}</span>
        </>
      }
      aside={
        <Button size="s" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden />
          {t('New person')}
        </Button>
      }
    >
      <ErrorNote error={update.error ?? renew.error} />
      <Table
        rows={users.data}
        keyOf={(user) => user.id}
        columns={[
          {
            head: t('Name'),
            className: 'm5',
            cell: (user) => (
              <>
                {user.username} {user.id === me?.id && <span className="muted">{t('(you)')}</span>}
              </>
            ),
          },
          { head: t('Email'), className: 't2', wideOnly: true, cell: (user) => user.email ?? '' },
          {
            head: t('Role'),
            cell: (user) => (
              <Select
                aria-label={t('Role of {username}', { username: user.username })}
                w={160}
                size="sm"
                allowDeselect={false}
                data={roleData.length ? roleData : [user.global_role]}
                value={user.global_role}
                onChange={(role) => role && role !== user.global_role && update.mutate({ user, patch: { global_role: role } })}
              />
            ),
          },
          { head: t('Source'), className: 't2', wideOnly: true, cell: (user) => <RoleSource user={user} /> },
          { head: t('Status'), wideOnly: true, cell: (user) => <AccountStatus user={user} /> },
        ]}
        actions={(user) =>
          user.id !== me?.id && (
            <RowActions name={user.username} onEdit={() => setEditing(user)} onRemove={() => setDeleting(user)}>
              {user.invited && !user.disabled && (
                <Button size="s" onClick={() => renew.mutate(user)} aria-label={t('New link for {username}', { username: user.username })}>
                  {t('New link')}
                </Button>
              )}
              <Button
                size="s"
                onClick={() => update.mutate({ user, patch: { disabled: !user.disabled } })}
                aria-label={t(user.disabled ? 'Enable {name}' : 'Disable {name}', { name: user.username })}
              >
                {user.disabled ? t('Enable') : t('Disable')}
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
          onDone={({ user, link }) => {
            const seesNothing = roles.data?.find(({ name }) => name === user.global_role)?.bypass === false;
            if (link || seesNothing) setCreated({ user, link, seesNothing });
            else toast(t('{username} can now sign in', { username: user.username }));
            void refresh();
          }}
        />
      )}
      {created && <NextStepsDialog person={created} onClose={() => setCreated(null)} />}
      <ConfirmDialog
        opened={deleting !== null}
        title={t('Remove {username}?', { username: deleting?.username })}
        typeName={deleting?.username}
        confirm={t('Remove {username}', { username: deleting?.username })}
        danger
        onConfirm={async () => {
          if (!deleting) return;
          await people.deleteUser(deleting.id);
          await refresh();
          toast(t('{username} removed', { username: deleting.username }));
        }}
        onClose={() => setDeleting(null)}
      >
        {t(
          'They are signed out and their rules are removed. Tags and notes they added are kept. To block access temporarily, disable the account instead.',
        )}
      </ConfirmDialog>
    </Card>
  );
}

/** Where the account and its role come from, and when it was last used. */
function RoleSource({ user }: { user: Principal }) {
  const source =
    { local: t('Local'), oidc: t('Single sign-on'), ldap: t('Directory'), header: t('Proxy') }[user.role_source] ?? user.role_source;
  return (
    <>
      {source}
      {user.role_reason && <span className="meta muted"> · {user.role_reason}</span>}
      <div className="meta muted">
        {user.last_login_at ? t('signed in {last_login_at}', { last_login_at: timeAgo(user.last_login_at) }) : t('never signed in')}
      </div>
    </>
  );
}

function AccountStatus({ user }: { user: Principal }) {
  return user.disabled ? (
    <StatusText tone="idle" icon={CircleSlash}>
      {t('Disabled')}
    </StatusText>
  ) : user.invited ? (
    <StatusText tone="idle" icon={Clock}>
      {t('Invited')}
    </StatusText>
  ) : (
    <StatusText tone="ok" icon={CircleCheck}>
      {t('Active')}
    </StatusText>
  );
}
