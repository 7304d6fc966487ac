import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Checkbox, Modal, Select } from '@mantine/core';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { ApiKey } from '../../api/types.ts';
import { formatDate, timeAgo } from '../../format/dates.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form, NameField } from '../../components/form.tsx';
import { Note } from '../../components/status.tsx';
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
      {keys.error && <p role="alert">{errorMessage(keys.error)}</p>}
      {keys.data?.length === 0 && (
        <p className="muted" style={{ marginTop: 8 }}>
          No key yet. A script signs in with one.
        </p>
      )}
      <ul className={s.rows} data-list>
        {keys.data?.map((key) => (
          <li key={key.id}>
            <KeyRound size={16} aria-hidden />
            <div className="grow">
              <div className="m5">
                {key.name} <code className="mono muted">{key.prefix}…</code>
              </div>
              <div className="meta muted">
                {key.scopes.join(', ')} · {key.last_used_at ? `used ${timeAgo(key.last_used_at)}` : 'never used'} ·{' '}
                {key.expires_at ? `until ${formatDate(key.expires_at)}` : 'no end date'}
              </div>
            </div>
            <Button size="s" variant="danger" onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {making && (
        <NewKeyDialog
          title="New API key"
          onClose={() => {
            setMaking(false);
            void refresh();
          }}
        />
      )}
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

/** Makes a key, for oneself or for a program; it is shown once. */
export function NewKeyDialog({ title, serviceAccount, onClose }: { title: string; serviceAccount?: string; onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {made ? <NewKey text={made} onClose={onClose} /> : <KeyForm serviceAccount={serviceAccount} onCreated={setMade} />}
    </Modal>
  );
}

function NewKey({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <>
      <Note tone="warn" icon={TriangleAlert}>
        <b className="b">Copy the key now.</b> <span className="t2">It is stored as a fingerprint and cannot be shown again.</span>
      </Note>
      <div className={s.key}>
        <code className="mono anywhere grow">{text}</code>
        <CopyButton text={text} label="Copy key" />
      </div>
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="primary" size="l" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}

function KeyForm({ serviceAccount, onCreated: onMade }: { serviceAccount: string | undefined; onCreated: (key: string) => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<string | null>('read');
  const [ends, setEnds] = useState(true);
  return (
    <Form
      submit="Create key"
      ready={name.trim() !== ''}
      save={() =>
        people.createApiKey({
          name: name.trim(),
          scopes: [(scope ?? 'read') as 'read' | 'write' | 'admin'],
          ...(ends ? { expires_days: 365 } : {}),
          ...(serviceAccount ? { service_account_id: serviceAccount } : {}),
        })
      }
      onSaved={(made) => onMade(made.key)}
    >
      {(errorAt) => (
        <>
          <NameField description="What will use it?" value={name} onChange={setName} maxLength={200} error={errorAt('name')} />
          <Select
            label="May"
            allowDeselect={false}
            value={scope}
            error={errorAt('scopes')}
            onChange={setScope}
            data={[
              { value: 'read', label: 'Read: search and look' },
              { value: 'write', label: 'Write: also scan, tag and note' },
              { value: 'admin', label: 'Admin: everything' },
            ]}
          />
          <Checkbox label="Ends after a year" checked={ends} onChange={(e) => setEnds(e.currentTarget.checked)} />
        </>
      )}
    </Form>
  );
}
