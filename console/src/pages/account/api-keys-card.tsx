import { Checkbox, Modal, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, KeyRound, Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { ApiKey } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton, copyText } from '../../components/copy-button.tsx';
import { Form, NameField } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatDate, timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import s from './account-page.module.css';

const ACCESS: Record<string, string> = { read: t('Read'), write: t('Read and edit'), admin: t('Full access') };
const SOON_MS = 14 * 86_400_000;

export function ApiKeysCard() {
  const client = useQueryClient();
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: people.apiKeys });
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['api-keys'] });
  return (
    <Card
      title={
        <h2 className="h3">
          {t('API keys')} {keys.data && <span className={s.count}>{keys.data.length}</span>}
        </h2>
      }
      aside={
        <Button size="s" onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden />
          {t('New key')}
        </Button>
      }
    >
      <ErrorNote error={keys.error} />
      {created && <CopyOnce text={created} onCopied={() => setCreated(null)} />}
      {keys.data?.length === 0 && <p className="muted">{t('No API keys. A script needs one to sign in.')}</p>}
      {keys.data && keys.data.length > 0 && <KeyTable keys={keys.data} onRevoke={setRevoking} />}
      {creating && (
        <Modal
          opened
          onClose={() => setCreating(false)}
          title={t('New API key')}
          closeButtonProps={{ 'aria-label': t('Close') }}
          closeOnClickOutside={false}
        >
          <KeyForm
            serviceAccount={undefined}
            onCreated={(key) => {
              setCreated(key);
              setCreating(false);
              void refresh();
            }}
          />
        </Modal>
      )}
      <ConfirmDialog
        opened={revoking !== null}
        title={t('Revoke key “{name}” of {owner}?', { name: revoking?.name, owner: revoking ? ownerOf(revoking) : '' })}
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

/** The key is shown until it is copied or the page is left. */
function CopyOnce({ text, onCopied }: { text: string; onCopied: () => void }) {
  return (
    <Note tone="active" icon={KeyRound} className={s.once}>
      <b className="b">{t('Copy the key now. It is shown only once.')}</b>
      <div className="row g2">
        <code className="mono anywhere grow">{text}</code>
        <Button size="s" onClick={() => void copyText(text).then(onCopied, (error: unknown) => toast(errorMessage(error)))}>
          <Copy size={14} aria-hidden />
          {t('Copy')}
        </Button>
      </div>
    </Note>
  );
}

/** The keys of the service, those of others with their owner. */
function KeyTable({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const { me } = useSession();
  return (
    <table className={s.keys}>
      <thead>
        <tr>
          <th scope="col">{t('Name')}</th>
          <th scope="col">{t('Access')}</th>
          <th scope="col">{t('Last used')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td>
              <div className="m5">
                {key.name} <code className="mono muted">{key.prefix}…</code>
              </div>
              {key.principal_id !== me?.id && <div className="meta">{t('Belongs to {name}', { name: ownerOf(key) })}</div>}
              <Expiry apiKey={key} />
            </td>
            <td className="meta muted">{ACCESS[key.scopes.at(-1) ?? 'read'] ?? key.scopes.join(', ')}</td>
            <td className="meta muted">{key.last_used_at ? timeAgo(key.last_used_at) : t('Never')}</td>
            <td>
              <Button size="s" variant="danger" aria-label={t('Revoke {name}', { name: key.name })} onClick={() => onRevoke(key)}>
                {t('Revoke')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const ownerOf = ({ service_account, username }: ApiKey): string => service_account ?? username ?? '';

/** The last two weeks are a warning. */
function Expiry({ apiKey: { expires_at, expired } }: { apiKey: ApiKey }) {
  if (!expires_at) return <div className="meta muted">{t('Does not expire')}</div>;
  const left = new Date(expires_at).getTime() - Date.now();
  if (expired) return <div className={`meta ${s.warn}`}>{t('Expired {date}', { date: formatDate(expires_at) })}</div>;
  if (left > SOON_MS) return <div className="meta muted">{t('Expires {date}', { date: formatDate(expires_at) })}</div>;
  return <div className={`meta ${s.warn}`}>{t('Expires in {days|# day|# days}', { days: Math.max(1, Math.ceil(left / 86_400_000)) })}</div>;
}

/** Creates a key for a service account. The key is shown only once. */
export function NewKeyDialog({ title, serviceAccount, onClose }: { title: string; serviceAccount: string; onClose: () => void }) {
  const [created, setCreated] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('Close') }} closeOnClickOutside={false}>
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
