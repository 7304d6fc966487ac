import { Checkbox, Modal, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { sentence } from '../../api/problem.ts';
import type { Role } from '../../api/types.ts';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { ACTION_WORDS } from './words.ts';

const keyFrom = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32);

/** A role: its name, its reach, and what it may at most do. */
export function RoleDialog({ role, onClose, onDone }: { role: Role | null; onClose: () => void; onDone: () => void }) {
  const [label, setLabel] = useState(role?.display_name ?? '');
  const [scope, setScope] = useState<string | null>(role?.scopes.includes('write') ? 'write' : 'read');
  const [ceiling, setCeiling] = useState<string[]>(role?.ceiling_actions ?? ['search_metadata']);
  const save = useMutation({
    mutationFn: () => {
      const fields = { display_name: label.trim(), scopes: [(scope ?? 'read') as 'read' | 'write'], ceiling_actions: ceiling };
      return role ? people.updateRole(role.name, fields) : people.createRole({ ...fields, name: keyFrom(label), description: '' });
    },
    onSuccess: () => {
      toast(`Role ${label.trim()} saved`);
      onDone();
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={role ? `Change ${role.display_name}` : 'New role'} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {role && role.users > 0 && <p className="t2">It changes what {counted(role.users, 'person', 'people')} may do, at once.</p>}
        <TextInput data-autofocus label="Name" value={label} maxLength={64} onChange={(e) => setLabel(e.currentTarget.value)} />
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
        <Checkbox.Group label="May at most" value={ceiling} onChange={setCeiling}>
          <div className="col g2" style={{ marginTop: 4 }}>
            {Object.entries(ACTION_WORDS).map(([action, words]) => (
              <Checkbox key={action} value={action} label={words} />
            ))}
          </div>
        </Checkbox.Group>
        {save.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(save.error)}
          </Note>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button type="submit" variant="primary" size="l" disabled={label.trim().length < 2 || save.isPending}>
            {role ? 'Save role' : 'Create role'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
