import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleX, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { sentence } from '../../api/problem.ts';
import type { Role } from '../../api/types.ts';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { Note } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { readListKeys } from '../../shell/list-keys.ts';
import s from './admin-page.module.css';
import { RoleDialog } from './role-dialog.tsx';
import { ACTION_WORDS, actionWord } from './words.ts';

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
      {remove.error && (
        <Note tone="danger" icon={CircleX} live>
          {sentence(remove.error)}
        </Note>
      )}
      <div className={s.scroll}>
        <table className={`${s.table} ${s.matrix}`}>
          <thead>
            <tr>
              <th>May at most</th>
              {roles.data.map((role) => (
                <th key={role.name}>
                  {role.display_name}
                  <div className="muted meta" style={{ fontWeight: 400 }}>
                    {counted(role.users, 'person', 'people')}
                  </div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...readListKeys}>
            {actions.map((action) => (
              <tr key={action}>
                <td>{actionWord(action)}</td>
                {roles.data.map((role) => {
                  const may = role.bypass || role.ceiling_actions.includes(action);
                  return (
                    <td key={role.name}>
                      <span style={{ display: 'inline-block', color: may ? 'var(--ok)' : 'var(--text-3)' }}>
                        {may ? <Check size={16} role="img" aria-label="yes" /> : <Minus size={16} role="img" aria-label="no" />}
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
            <tr>
              <td />
              {roles.data.map((role) => (
                <td key={role.name}>
                  {role.builtin ? (
                    <span className="muted meta">shipped</span>
                  ) : (
                    <span className="col g1">
                      <Button size="s" onClick={() => setEditing(role)} aria-label={`Change role ${role.display_name}`}>
                        Change
                      </Button>
                      <Button size="s" variant="danger" onClick={() => remove.mutate(role)} aria-label={`Remove role ${role.display_name}`}>
                        Remove
                      </Button>
                    </span>
                  )}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      {editing && <RoleDialog role={editing === 'new' ? null : editing} onClose={() => setEditing(null)} onDone={() => void refresh()} />}
    </Card>
  );
}
