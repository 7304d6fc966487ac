import { Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Role } from '../../api/types.ts';
import { slugify } from '../../format/slugify.ts';
import { pluralize } from '../../format/numbers.ts';
import { FormDialog, NameField } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { ACTION_WORDS } from './words.ts';

/** A role: its name, its reach, and what it may at most do. */
export function RoleDialog({ role, onClose, onDone }: { role: Role | null; onClose: () => void; onDone: () => void }) {
  const [label, setLabel] = useState(role?.display_name ?? '');
  const [scope, setScope] = useState<string | null>(role?.scopes.includes('write') ? 'write' : 'read');
  const [ceiling, setCeiling] = useState<string[]>(role?.ceiling_actions ?? ['search_metadata']);
  const save = () => {
    const fields = { display_name: label.trim(), scopes: [(scope ?? 'read') as 'read' | 'write'], ceiling_actions: ceiling };
    return role ? people.updateRole(role.name, fields) : people.createRole({ ...fields, name: slugify(label, '-', 32), description: '' });
  };
  return (
    <FormDialog
      title={role ? `Change ${role.display_name}` : 'New role'}
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
          {role && role.users > 0 && <p className="t2">It changes what {pluralize(role.users, 'person', 'people')} may do, at once.</p>}
          <NameField value={label} onChange={setLabel} maxLength={64} error={errorAt('display_name', 'name')} />
          <Select
            label="Reach"
            allowDeselect={false}
            value={scope}
            onChange={setScope}
            data={[
              { value: 'read', label: 'Read' },
              { value: 'write', label: 'Read and write' },
            ]}
          />
          <Checkbox.Group label="May at most" value={ceiling} onChange={setCeiling} error={errorAt('ceiling_actions')}>
            <div className="col g2" style={{ marginTop: 4 }}>
              {Object.entries(ACTION_WORDS).map(([action, words]) => (
                <Checkbox key={action} value={action} label={words} />
              ))}
            </div>
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  );
}
