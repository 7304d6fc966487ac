import { Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Group } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { pluralize } from '../../format/numbers.ts';
import t from '../item/tag-editor.module.css';
import s from './admin-page.module.css';

export function GroupsTab() {
  const client = useQueryClient();
  const groups = useQuery({ queryKey: ['groups'], queryFn: people.groups });
  const [name, setName] = useState('');
  if (groups.error) return <ErrorState error={groups.error} retry={() => void groups.refetch()} />;
  if (!groups.data) return <Loading what="groups" />;
  return (
    <div className="col g4" data-list>
      <Card title="New group">
        <Form
          layout="line"
          ready={name.trim() !== ''}
          submit={
            <>
              <Plus size={16} aria-hidden />
              Create group
            </>
          }
          save={() => people.createGroup({ name: name.trim() })}
          onSaved={() => {
            setName('');
            void client.invalidateQueries({ queryKey: ['groups'] });
          }}
        >
          {(errorAt) => (
            <TextInput label="Name" value={name} maxLength={128} error={errorAt('name')} onChange={(e) => setName(e.currentTarget.value)} />
          )}
        </Form>
      </Card>
      {groups.data.map((group) => (
        <GroupCard key={group.id} group={group} />
      ))}
    </div>
  );
}

function GroupCard({ group }: { group: Group }) {
  const client = useQueryClient();
  const members = useQuery({ queryKey: ['groups', group.id, 'members'], queryFn: () => people.groupMembers(group.id) });
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const [deleting, setDeleting] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ['groups'] });
  const change = useMutation({ mutationFn: (run: () => Promise<void>) => run(), onSuccess: refresh });
  const nonMembers = (users.data ?? []).filter((u) => !members.data?.some((m) => m.principal_id === u.id));
  return (
    <Card
      row
      title={
        <>
          <h2 className="h3">
            <RenameField
              name={group.name}
              onRename={(next) => change.mutate(() => people.updateGroup(group.id, { name: next }).then(() => {}))}
            />
          </h2>
          <span className="muted nw">{pluralize(members.data?.length ?? group.member_count ?? 0, 'member')}</span>
        </>
      }
      aside={
        <Button size="s" variant="danger" onClick={() => setDeleting(true)}>
          Remove
        </Button>
      }
    >
      {group.description && <p className="t2">{group.description}</p>}
      <ul className={t.tags} style={{ margin: '12px 0' }} data-list="across" aria-label={`Members of ${group.name}`}>
        {(members.data ?? []).map((member) => (
          <li key={member.principal_id} className={t.tag}>
            {member.username}
            <IconButton
              size="s"
              label={`Remove ${member.username} from ${group.name}`}
              onClick={() => change.mutate(() => people.removeMember(group.id, member.principal_id))}
            >
              <X size={12} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <Select
        aria-label={`Add a member to ${group.name}`}
        placeholder="Add a member"
        w={240}
        searchable
        data={nonMembers.map((u) => ({ value: u.id, label: u.username }))}
        value={null}
        onChange={(id) => id && change.mutate(() => people.addMember(group.id, id))}
      />
      <ErrorNote error={change.error} />
      <ConfirmDialog
        opened={deleting}
        title={`Remove group “${group.name}”?`}
        confirm="Remove group"
        danger
        onConfirm={async () => {
          await people.deleteGroup(group.id);
          await refresh();
        }}
        onClose={() => setDeleting(false)}
      >
        Its rules are removed too. Its members keep their accounts.
      </ConfirmDialog>
    </Card>
  );
}

/** The group name, edited in place. */
function RenameField({ name, onRename }: { name: string; onRename: (name: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === null)
    return (
      <button type="button" data-main className={s.rename} title="Rename" onClick={() => setTyped(name)}>
        <bdi>{name}</bdi>
        <span className="visually-hidden">, rename</span>
      </button>
    );
  return (
    <TextInput
      size="sm"
      aria-label={`New name for ${name}`}
      autoFocus
      value={typed}
      maxLength={128}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed.trim() && typed.trim() !== name) onRename(typed.trim());
        setTyped(null);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}
