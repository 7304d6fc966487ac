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
import { t } from '../../language/text.ts';
import editor from '../item/tag-editor.module.css';
import s from './admin-page.module.css';

export function GroupsTab() {
  const client = useQueryClient();
  const groups = useQuery({ queryKey: ['groups'], queryFn: people.groups });
  const [name, setName] = useState('');
  if (groups.error && !groups.data) return <ErrorState error={groups.error} retry={() => void groups.refetch()} />;
  if (!groups.data) return <Loading what={t('groups')} />;
  return (
    <div className="col g4" data-list>
      <Card title={t('New group')}>
        <Form
          layout="line"
          ready={name.trim() !== ''}
          submit={
            <>
              <Plus size={16} aria-hidden />
              {t('Create group')}
            </>
          }
          save={() => people.createGroup({ name: name.trim() })}
          onSaved={() => {
            setName('');
            void client.invalidateQueries({ queryKey: ['groups'] });
          }}
        >
          {(errorAt) => (
            <TextInput
              label={t('Name')}
              value={name}
              maxLength={128}
              error={errorAt('name')}
              onChange={(e) => setName(e.currentTarget.value)}
            />
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
          <span className="muted nw">{t('{n|# member|# members}', { n: members.data?.length ?? group.member_count ?? 0 })}</span>
        </>
      }
      aside={
        <Button size="s" variant="danger" onClick={() => setDeleting(true)}>
          {t('Remove')}
        </Button>
      }
    >
      {group.description && <p className="t2">{group.description}</p>}
      <ul className={editor.tags} style={{ margin: '12px 0' }} data-list="across" aria-label={t('Members of {name}', { name: group.name })}>
        {(members.data ?? []).map((member) => (
          <li key={member.principal_id} className={editor.tag}>
            {member.username}
            <IconButton
              size="s"
              label={t('Remove {username} from {name}', { username: member.username, name: group.name })}
              onClick={() => change.mutate(() => people.removeMember(group.id, member.principal_id))}
            >
              <X size={12} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <Select
        aria-label={t('Add a member to {name}', { name: group.name })}
        placeholder={t('Add a member')}
        w={240}
        searchable
        data={nonMembers.map((u) => ({ value: u.id, label: u.username }))}
        value={null}
        onChange={(id) => id && change.mutate(() => people.addMember(group.id, id))}
      />
      <ErrorNote error={change.error} />
      <ConfirmDialog
        opened={deleting}
        title={t('Remove group “{name}”?', { name: group.name })}
        confirm={t('Remove group')}
        danger
        onConfirm={async () => {
          await people.deleteGroup(group.id);
          await refresh();
        }}
        onClose={() => setDeleting(false)}
      >
        {t('Its rules are removed too. Its members keep their accounts.')}
      </ConfirmDialog>
    </Card>
  );
}

/** The group name, edited in place. */
function RenameField({ name, onRename }: { name: string; onRename: (name: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === null)
    return (
      <button type="button" data-main className={s.rename} title={t('Rename')} onClick={() => setTyped(name)}>
        <bdi>{name}</bdi>
        <span className="visually-hidden">
          {', '}
          {t('rename')}
        </span>
      </button>
    );
  return (
    <TextInput
      size="sm"
      aria-label={t('New name for {name}', { name })}
      autoFocus
      value={typed}
      maxLength={128}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed.trim() && typed.trim() !== name) onRename(typed.trim());
        setTyped(null);
      }}
      onKeyDown={(event) => {
        // These keys belong to the input method while it composes a word.
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}
