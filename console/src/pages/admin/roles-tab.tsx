import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Role } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { type Column, RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { ACTION_WORDS, actionWord } from './words.ts';

/** The row under the ticks, where a role is changed. */
const LAST = '';

/** What each role may at most do; rules on folders can only narrow or open within this. */
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
  if (roles.error) return <ErrorState error={roles.error} retry={() => void roles.refetch()} />;
  if (!roles.data) return <Loading what="roles" />;
  const actions = [...new Set([...Object.keys(ACTION_WORDS), ...roles.data.flatMap((r) => r.ceiling_actions)])];
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
        action !== LAST ? (
          <May yes={role.bypass || role.ceiling_actions.includes(action)} />
        ) : role.builtin ? (
          <span className="muted meta">shipped</span>
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
      <ErrorNote error={remove.error} />
      <Table
        centred
        rows={[...actions, LAST]}
        keyOf={(action) => action}
        columns={[{ head: 'May at most', cell: (action) => (action === LAST ? '' : actionWord(action)) }, ...columns]}
      />
      {editing && <RoleDialog role={editing === 'new' ? null : editing} onClose={() => setEditing(null)} onDone={() => void refresh()} />}
    </Card>
  );
}

function May({ yes }: { yes: boolean }) {
  return (
    <span style={{ display: 'inline-block', color: yes ? 'var(--ok)' : 'var(--text-3)' }}>
      {yes ? <Check size={16} role="img" aria-label="yes" /> : <Minus size={16} role="img" aria-label="no" />}
    </span>
  );
}
