import { Checkbox, NumberInput, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Role } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { changedOnly, FormDialog, NameField } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { type Column, RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { slugify } from '../../format/slugify.ts';
import { t } from '../../language/text.ts';
import { ACTION_LABELS, actionLabel } from './labels.ts';

/** Whether people with the role need a second factor. */
const FACTOR_ROW = 'require_second_factor';
/** The last table row, which has the Edit and Remove buttons. */
const ACTIONS_ROW = '';
/** How long sessions of people with the role last. */
const SESSION_ROWS = {
  session_inactivity_hours: t('Hours until an unused session ends (empty: default)'),
  session_ttl_hours: t('Hours until every session ends (empty: default)'),
} as const;
type SessionRow = keyof typeof SESSION_ROWS;
const isSessionRow = (row: string): row is SessionRow => row in SESSION_ROWS;

/** The permissions each role can have at most; rules cannot grant more. */
export function RolesTab() {
  const client = useQueryClient();
  const roles = useQuery({ queryKey: ['roles'], queryFn: people.roles });
  const [editing, setEditing] = useState<Role | 'new' | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['roles'] });
  const remove = useMutation({
    mutationFn: (role: Role) => people.deleteRole(role.name),
    onSuccess: async (_done, role) => {
      await refresh();
      toast(t('Role {display_name} removed', { display_name: role.display_name }));
    },
  });
  const require = useMutation({
    mutationFn: ({ role, required }: { role: Role; required: boolean }) =>
      people.updateRole(role.name, { require_second_factor: required }),
    onSuccess: async (role) => {
      await refresh();
      toast(
        role.require_second_factor
          ? t('{display_name} requires a second factor', { display_name: role.display_name })
          : t('{display_name} no longer requires one', { display_name: role.display_name }),
      );
    },
  });
  const limit = useMutation({
    mutationFn: ({ role, row, hours }: { role: Role; row: SessionRow; hours: number | null }) =>
      people.updateRole(role.name, { [row]: hours }),
    onSuccess: async (role) => {
      await refresh();
      toast(t('Sessions of {display_name} changed', { display_name: role.display_name }));
    },
  });
  if (roles.error && !roles.data) return <ErrorState error={roles.error} retry={() => void roles.refetch()} />;
  if (!roles.data) return <Loading what={t('roles')} />;
  const actions = [...new Set([...Object.keys(ACTION_LABELS), ...roles.data.flatMap((r) => r.ceiling_actions)])];
  const columns = roles.data.map(
    (role): Column<string> => ({
      head: (
        <>
          {role.display_name}
          <div className="muted meta" style={{ fontWeight: 400 }}>
            {t('{n|# person|# people}', { n: role.users })}
          </div>
        </>
      ),
      cell: (action) =>
        action === FACTOR_ROW ? (
          <Checkbox
            aria-label={t('{display_name} requires a second factor', { display_name: role.display_name })}
            checked={role.require_second_factor}
            onChange={(event) => require.mutate({ role, required: event.currentTarget.checked })}
            style={{ display: 'inline-block' }}
          />
        ) : isSessionRow(action) ? (
          <NumberInput
            key={role[action]}
            aria-label={`${SESSION_ROWS[action]}: ${role.display_name}`}
            placeholder="–"
            hideControls
            size="sm"
            w={56}
            style={{ display: 'inline-block' }}
            min={0.1}
            max={8760}
            defaultValue={role[action] ?? ''}
            onBlur={(event) => {
              const text = event.currentTarget.value.trim();
              const hours = text === '' ? null : Number(text);
              if (hours !== role[action] && (hours === null || hours >= 0.1)) limit.mutate({ role, row: action, hours });
            }}
          />
        ) : action !== ACTIONS_ROW ? (
          <PermissionMark yes={role.bypass || role.ceiling_actions.includes(action)} />
        ) : role.builtin ? (
          <span className="muted meta">{t('Built-in')}</span>
        ) : (
          <span className="col g1">
            <RowActions
              name={t('role {name}', { name: role.display_name })}
              onEdit={() => setEditing(role)}
              onRemove={() => remove.mutate(role)}
            />
          </span>
        ),
    }),
  );
  return (
    <Card
      title={t('Roles')}
      aside={
        <Button size="s" onClick={() => setEditing('new')}>
          <Plus size={16} aria-hidden />
          {t('New role')}
        </Button>
      }
    >
      <ErrorNote error={remove.error ?? require.error ?? limit.error} />
      <Table
        centred
        rows={[...actions, FACTOR_ROW, ...Object.keys(SESSION_ROWS), ACTIONS_ROW]}
        keyOf={(action) => action}
        columns={[
          {
            head: t('Permissions'),
            cell: (action) =>
              action === ACTIONS_ROW
                ? ''
                : action === FACTOR_ROW
                  ? t('Requires a second factor')
                  : isSessionRow(action)
                    ? SESSION_ROWS[action]
                    : actionLabel(action),
          },
          ...columns,
        ]}
      />
      {editing && <RoleDialog role={editing === 'new' ? null : editing} onClose={() => setEditing(null)} onDone={() => void refresh()} />}
    </Card>
  );
}

function PermissionMark({ yes }: { yes: boolean }) {
  return (
    <span style={{ display: 'inline-block', color: yes ? 'var(--ok)' : 'var(--text-3)' }}>
      {yes ? <Check size={16} role="img" aria-label={t('Yes')} /> : <Minus size={16} role="img" aria-label={t('No')} />}
    </span>
  );
}

function RoleDialog({ role, onClose, onDone }: { role: Role | null; onClose: () => void; onDone: () => void }) {
  const [label, setLabel] = useState(role?.display_name ?? '');
  const before = role?.scopes.includes('write') ? 'write' : 'read';
  const [scope, setScope] = useState<string | null>(before);
  const [ceiling, setCeiling] = useState<string[]>(role?.ceiling_actions ?? ['search_metadata']);
  const save = () => {
    const fields = { display_name: label.trim(), ceiling_actions: ceiling };
    const scopes = [(scope ?? 'read') as 'read' | 'write'];
    if (!role) return people.createRole({ ...fields, scopes, name: slugify(label, '-', 32), description: '' });
    return people.updateRole(role.name, { ...changedOnly(role, fields), ...(scope === before ? {} : { scopes }) });
  };
  return (
    <FormDialog
      title={role ? t('Edit {display_name}', { display_name: role.display_name }) : t('New role')}
      submit={role ? t('Save role') : t('Create role')}
      ready={label.trim().length >= 2}
      save={save}
      onSaved={() => {
        toast(t('Role {label} saved', { label: label.trim() }));
        onDone();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          {role && role.users > 0 && (
            <p className="t2">{t('Changes take effect immediately for {users|# person|# people}.', { users: role.users })}</p>
          )}
          <NameField value={label} onChange={setLabel} maxLength={64} error={errorAt('display_name', 'name')} />
          <Select
            label={t('Access level')}
            allowDeselect={false}
            value={scope}
            onChange={setScope}
            data={[
              { value: 'read', label: t('Read') },
              { value: 'write', label: t('Read and write') },
            ]}
          />
          <Checkbox.Group label={t('Permissions')} value={ceiling} onChange={setCeiling} error={errorAt('ceiling_actions')}>
            <div className="col g2" style={{ marginTop: 4 }}>
              {Object.entries(ACTION_LABELS).map(([action, text]) => (
                <Checkbox key={action} value={action} label={text} />
              ))}
            </div>
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  );
}
