import { TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { ServiceAccount } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import a from '../account/account-page.module.css';
import { NewKeyDialog } from '../account/api-keys-card.tsx';

/** Accounts for scripts. They sign in with API keys and do not depend on a person's account. */
export function ServiceAccountsCard() {
  const client = useQueryClient();
  const accounts = useQuery({ queryKey: ['service-accounts'], queryFn: people.serviceAccounts });
  const [name, setName] = useState('');
  const [keyFor, setKeyFor] = useState<ServiceAccount | null>(null);
  const [removing, setRemoving] = useState<ServiceAccount | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['service-accounts'] });
  const toggle = useMutation({
    mutationFn: (one: ServiceAccount) => people.updateServiceAccount(one.id, { disabled: !one.disabled }),
    onSuccess: refresh,
  });
  return (
    <Card title={t('Service accounts')}>
      <ErrorNote error={accounts.error ?? toggle.error} />
      {accounts.data?.length === 0 && (
        <p className="muted">{t('No service accounts yet. Create one for a script that does not belong to a single person.')}</p>
      )}
      <ul className={a.rows} data-list>
        {accounts.data?.map((one) => (
          <li key={one.id}>
            <Bot size={16} aria-hidden />
            <div className="grow" style={{ minWidth: 0 }}>
              <div className="m5 cut">
                <bdi>{one.name}</bdi> {one.disabled && <span className="muted">{t('disabled')}</span>}
              </div>
              <div className="meta muted">
                {t('{n|# key|# keys}', { n: one.key_count })} ·{' '}
                {one.last_used_at ? t('used {last_used_at}', { last_used_at: timeAgo(one.last_used_at) }) : t('never used')}
              </div>
            </div>
            <Button size="s" onClick={() => setKeyFor(one)} aria-label={t('New key for {name}', { name: one.name })}>
              {t('New key')}
            </Button>
            <Button
              size="s"
              onClick={() => toggle.mutate(one)}
              aria-label={t(one.disabled ? 'Enable {name}' : 'Disable {name}', { name: one.name })}
            >
              {one.disabled ? t('Enable') : t('Disable')}
            </Button>
            <Button size="s" variant="danger" onClick={() => setRemoving(one)} aria-label={t('Remove {name}', { name: one.name })}>
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
      <Form
        layout="line"
        ready={name.trim() !== ''}
        submit={
          <>
            <Plus size={16} aria-hidden />
            {t('Add service account')}
          </>
        }
        save={() => people.createServiceAccount({ name: name.trim() })}
        onSaved={() => {
          setName('');
          void refresh();
        }}
      >
        {(errorAt) => (
          <TextInput
            label={t('Name')}
            value={name}
            maxLength={128}
            error={errorAt('name')}
            onChange={(e) => setName(e.currentTarget.value)}
          />
        )}
      </Form>
      {keyFor && (
        <NewKeyDialog
          title={t('New key for {name}', { name: keyFor.name })}
          serviceAccount={keyFor.id}
          onClose={() => {
            setKeyFor(null);
            void refresh();
          }}
        />
      )}
      <ConfirmDialog
        opened={removing !== null}
        title={t('Remove {name}?', { name: removing?.name })}
        confirm={t('Remove {name}', { name: removing?.name })}
        danger
        onConfirm={async () => {
          if (!removing) return;
          await people.deleteServiceAccount(removing.id);
          await refresh();
          toast(t('{name} removed', { name: removing.name }));
        }}
        onClose={() => setRemoving(null)}
      >
        {t('{key_count|# API key|# API keys} will stop working immediately. Tags and notes it added are kept.', {
          key_count: removing?.key_count ?? 0,
        })}
      </ConfirmDialog>
    </Card>
  );
}
