import { Checkbox, Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleX, KeyRound, Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { sentence } from '../../api/problem.ts';
import type { ApiKey } from '../../api/types.ts';
import { date, since } from '../../format/dates.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Card } from '../../parts/page.tsx';
import { Note } from '../../parts/status.tsx';
import s from './account-page.module.css';

/** Keys for scripts and other programs. The key itself is shown once. */
export function ApiKeysCard() {
  const client = useQueryClient();
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: people.apiKeys });
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['api-keys'] });
  return (
    <Card
      title="API keys"
      aside={
        <Button size="s" onClick={() => setMaking(true)}>
          <Plus size={16} aria-hidden />
          New key
        </Button>
      }
    >
      {keys.error && <p role="alert">{sentence(keys.error)}</p>}
      {keys.data?.length === 0 && (
        <p className="muted" style={{ marginTop: 8 }}>
          No key yet. A script signs in with one.
        </p>
      )}
      <ul className={s.rows}>
        {keys.data?.map((key) => (
          <li key={key.id}>
            <KeyRound size={16} aria-hidden />
            <div className="grow">
              <div className="m5">
                {key.name} <code className="mono muted">{key.prefix}…</code>
              </div>
              <div className="meta muted">
                {key.scopes.join(', ')} · {key.last_used_at ? `used ${since(key.last_used_at)}` : 'never used'} ·{' '}
                {key.expires_at ? `until ${date(key.expires_at)}` : 'no end date'}
              </div>
            </div>
            <Button size="s" variant="danger" onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <Modal opened={making} onClose={() => setMaking(false)} title="New API key" closeButtonProps={{ 'aria-label': 'Close' }}>
        <NewKey
          onClose={() => {
            setMaking(false);
            void refresh();
          }}
        />
      </Modal>
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke key “${revoking?.name}”?`}
        confirm="Revoke key"
        danger
        onConfirm={async () => {
          await people.revokeApiKey(revoking!.id);
          await refresh();
        }}
        onClose={() => setRevoking(null)}
      >
        Programs that use it are turned away at once. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}

function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<string | null>('read');
  const [ends, setEnds] = useState(true);
  const create = useMutation({
    mutationFn: () =>
      people.createApiKey({
        name: name.trim(),
        scopes: [(scope ?? 'read') as 'read' | 'write' | 'admin'],
        ...(ends ? { expires_days: 365 } : {}),
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
