import { Checkbox, NumberInput, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Role } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog, NameField } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { type Column, RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { pluralize } from '../../format/numbers.ts';
import { slugify } from '../../format/slugify.ts';
import { ACTION_LABELS, actionLabel } from './labels.ts';

/** Whether people with the role need a second factor. */
const FACTOR_ROW = 'require_second_factor';
/** The last table row, which has the Edit and Remove buttons. */
const ACTIONS_ROW = '';
/** How long sessions of people with the role last. */
const SESSION_ROWS = {
  session_inactivity_hours: 'Hours until an unused session ends (empty: default)',
  session_ttl_hours: 'Hours until every session ends (empty: default)',
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
      toast(`Role ${role.display_name} removed`);
    },
  });
  const require = useMutation({
    mutationFn: ({ role, required }: { role: Role; required: boolean }) =>
      people.updateRole(role.name, { require_second_factor: required }),
    onSuccess: async (role) => {
      await refresh();
      toast(role.require_second_factor ? `${role.display_name} requires a second factor` : `${role.display_name} no longer requires one`);
    },
  });
  const limit = useMutation({
    mutationFn: ({ role, row, hours }: { role: Role; row: SessionRow; hours: number | null }) =>
      people.updateRole(role.name, { [row]: hours }),
    onSuccess: async (role) => {
      await refresh();
      toast(`Sessions of ${role.display_name} changed`);
    },
  });
  if (roles.error) return <ErrorState error={roles.error} retry={() => void roles.refetch()} />;
  if (!roles.data) return <Loading what="roles" />;
  const actions = [...new Set([...Object.keys(ACTION_LABELS), ...roles.data.flatMap((r) => r.ceiling_actions)])];
  const columns = roles.data.map(
    (role): Column<string> => ({
      head: (
        <>
          {role.display_name}
          <div className="muted meta" style={{ fontWeight: 400 }}>
            {pluralize(role.users, 'person', 'people')}
          </div>
        </>
      ),
      cell: (action) =>
        action === FACTOR_ROW ? (
          <Checkbox
            aria-label={`${role.display_name} requires a second factor`}
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
          <span className="muted meta">Built-in</span>
        ) : (
          <span className="col g1">
            <RowActions name={`role ${role.display_name}`} onEdit={() => setEditing(role)} onRemove={() => remove.mutate(role)} />
          </span>
        ),
    }),
  );
  return (
    <Card
      title="Roles"
      aside={
        <Button size="s" onClick={() => setEditing('new')}>
          <Plus size={16} aria-hidden />
          New role
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
            head: 'Permissions',
            cell: (action) =>
              action === ACTIONS_ROW
                ? ''
                : action === FACTOR_ROW
                  ? 'Requires a second factor'
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
      {yes ? <Check size={16} role="img" aria-label="Yes" /> : <Minus size={16} role="img" aria-label="No" />}
    </span>
  );
}

function RoleDialog({ role, onClose, onDone }: { role: Role | null; onClose: () => void; onDone: () => void }) {
  const [label, setLabel] = useState(role?.display_name ?? '');
  const [scope, setScope] = useState<string | null>(role?.scopes.includes('write') ? 'write' : 'read');
  const [ceiling, setCeiling] = useState<string[]>(role?.ceiling_actions ?? ['search_metadata']);
  const save = () => {
    const fields = { display_name: label.trim(), scopes: [(scope ?? 'read') as 'read' | 'write'], ceiling_actions: ceiling };
    return role ? people.updateRole(role.name, fields) : people.createRole({ ...fields, name: slugify(label, '-', 32), description: '' });
  };
  return (
    <FormDialog
      title={role ? `Edit ${role.display_name}` : 'New role'}
      submit={role ? 'Save role' : 'Create role'}
      ready={label.trim().length >= 2}
      save={save}
      onSaved={() => {
        toast(`Role ${label.trim()} saved`);
        onDone();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          {role && role.users > 0 && <p className="t2">Changes take effect immediately for {pluralize(role.users, 'person', 'people')}.</p>}
          <NameField value={label} onChange={setLabel} maxLength={64} error={errorAt('display_name', 'name')} />
          <Select
            label="Access level"
            allowDeselect={false}
            value={scope}
            onChange={setScope}
            data={[
              { value: 'read', label: 'Read' },
              { value: 'write', label: 'Read and write' },
            ]}
          />
          <Checkbox.Group label="Permissions" value={ceiling} onChange={setCeiling} error={errorAt('ceiling_actions')}>
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
