import { Checkbox, Modal, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { ApiKey } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form, NameField } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { Note } from '../../components/status.tsx';
import { formatDate, timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './account-page.module.css';

export function ApiKeysCard() {
  const client = useQueryClient();
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: people.apiKeys });
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['api-keys'] });
  return (
    <Card
      title={t('API keys')}
      aside={
        <Button size="s" onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden />
          {t('New key')}
        </Button>
      }
    >
      {keys.error && <p role="alert">{errorMessage(keys.error)}</p>}
      {keys.data?.length === 0 && (
        <p className="muted" style={{ marginTop: 8 }}>
          {t('No API keys yet. Create one to let a script use the API.')}
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
                {key.scopes.join(', ')} ·{' '}
                {key.last_used_at ? t('used {last_used_at}', { last_used_at: timeAgo(key.last_used_at) }) : t('never used')} ·{' '}
                {key.expires_at ? t('expires {expires_at}', { expires_at: formatDate(key.expires_at) }) : t('never expires')}
              </div>
            </div>
            <Button size="s" variant="danger" onClick={() => setRevoking(key)}>
              {t('Revoke')}
            </Button>
          </li>
        ))}
      </ul>
      {creating && (
        <NewKeyDialog
          title={t('New API key')}
          onClose={() => {
            setCreating(false);
            void refresh();
          }}
        />
      )}
      <ConfirmDialog
        opened={revoking !== null}
        title={t('Revoke key “{name}”?', { name: revoking?.name })}
        confirm={t('Revoke key')}
        danger
        onConfirm={async () => {
          if (!revoking) return;
          await people.revokeApiKey(revoking.id);
          await refresh();
        }}
        onClose={() => setRevoking(null)}
      >
        {t('Scripts that use this key lose access immediately. This cannot be undone.')}
      </ConfirmDialog>
    </Card>
  );
}

/** Creates a key for the user or a service account. The key is shown only once. */
export function NewKeyDialog({ title, serviceAccount, onClose }: { title: string; serviceAccount?: string; onClose: () => void }) {
  const [created, setCreated] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('Close') }}>
      {created ? <NewKey text={created} onClose={onClose} /> : <KeyForm serviceAccount={serviceAccount} onCreated={setCreated} />}
    </Modal>
  );
}

function NewKey({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <>
      <Note tone="warn" icon={TriangleAlert}>
        <b className="b">{t('Copy the key now.')}</b>{' '}
        <span className="t2">{t('Only its hash is stored, so it cannot be shown again.')}</span>
      </Note>
      <div className={s.key}>
        <code className="mono anywhere grow">{text}</code>
        <CopyButton text={text} label={t('Copy key')} />
      </div>
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="primary" size="l" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </>
  );
}

function KeyForm({ serviceAccount, onCreated }: { serviceAccount: string | undefined; onCreated: (key: string) => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<string | null>('read');
  const [expires, setExpires] = useState(true);
  return (
    <Form
      submit={t('Create key')}
      ready={name.trim() !== ''}
      save={() =>
        people.createApiKey({
          name: name.trim(),
          scopes: [(scope ?? 'read') as 'read' | 'write' | 'admin'],
          ...(expires ? { expires_days: 365 } : {}),
          ...(serviceAccount ? { service_account_id: serviceAccount } : {}),
        })
      }
      onSaved={(created) => onCreated(created.key)}
    >
      {(errorAt) => (
        <>
          <NameField
            description={t('What the key is for, such as a script or integration.')}
            value={name}
            onChange={setName}
            maxLength={200}
            error={errorAt('name')}
          />
          <Select
            label={t('Permissions')}
            allowDeselect={false}
            value={scope}
            error={errorAt('scopes')}
            onChange={setScope}
            data={[
              { value: 'read', label: t('Read: search and view files') },
              { value: 'write', label: t('Write: also scan, tag and add notes') },
              { value: 'admin', label: t('Admin: full access') },
            ]}
          />
          <Checkbox label={t('Expires after 1 year')} checked={expires} onChange={(e) => setExpires(e.currentTarget.checked)} />
        </>
      )}
    </Form>
  );
}
