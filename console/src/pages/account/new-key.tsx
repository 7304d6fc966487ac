import { Checkbox, Modal, Select } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form, NameField } from '../../components/form.tsx';
import { Note } from '../../components/status.tsx';
import s from './account-page.module.css';

/** Makes a key, for oneself or for a program; it is shown once. */
export function NewKeyDialog({ title, serviceAccount, onClose }: { title: string; serviceAccount?: string; onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {made ? <ShownOnce text={made} onClose={onClose} /> : <KeyForm serviceAccount={serviceAccount} onMade={setMade} />}
    </Modal>
  );
}

function ShownOnce({ text, onClose }: { text: string; onClose: () => void }) {
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

function KeyForm({ serviceAccount, onMade }: { serviceAccount: string | undefined; onMade: (key: string) => void }) {
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
