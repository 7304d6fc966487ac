import { Checkbox, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { sentence } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Note } from '../../parts/status.tsx';
import s from './account-page.module.css';

/** Makes a key, for oneself or for a program; it is shown once. */
export function NewKey({ serviceAccount, onClose }: { serviceAccount?: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<string | null>('read');
  const [ends, setEnds] = useState(true);
  const create = useMutation({
    mutationFn: () =>
      people.createApiKey({
        name: name.trim(),
        scopes: [(scope ?? 'read') as 'read' | 'write' | 'admin'],
        ...(ends ? { expires_days: 365 } : {}),
        ...(serviceAccount ? { service_account_id: serviceAccount } : {}),
      }),
  });
  if (create.data)
    return (
      <>
        <Note tone="warn" icon={TriangleAlert}>
          <b className="b">Copy the key now.</b> <span className="t2">It is stored as a fingerprint and cannot be shown again.</span>
        </Note>
        <div className={s.key}>
          <code className="mono anywhere grow">{create.data.key}</code>
          <CopyButton text={create.data.key} label="Copy key" />
        </div>
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="primary" size="l" onClick={onClose}>
            Done
          </Button>
        </div>
      </>
    );
  return (
    <form
      className="col g4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="What will use it?"
        value={name}
        maxLength={200}
        onChange={(e) => setName(e.currentTarget.value)}
      />
      <Select
        label="May"
        allowDeselect={false}
        value={scope}
        onChange={setScope}
        data={[
          { value: 'read', label: 'Read: search and look' },
          { value: 'write', label: 'Write: also scan, tag and note' },
          { value: 'admin', label: 'Admin: everything' },
        ]}
      />
      <Checkbox label="Ends after a year" checked={ends} onChange={(e) => setEnds(e.currentTarget.checked)} />
      {create.error && (
        <Note tone="danger" icon={CircleX} live>
          {sentence(create.error)}
        </Note>
      )}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button type="submit" variant="primary" size="l" disabled={!name.trim() || create.isPending}>
          Create key
        </Button>
      </div>
    </form>
  );
}
