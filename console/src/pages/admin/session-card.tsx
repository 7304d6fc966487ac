import { NumberInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';

/** How long sessions last for everybody whose role and account set nothing else. */
export function SessionCard() {
  const client = useQueryClient();
  const limits = useQuery({ queryKey: ['session-settings'], queryFn: people.sessionSettings });
  const [changed, setChanged] = useState<{ inactivity_hours?: number | string; ttl_hours?: number | string }>({});
  const value = (name: 'inactivity_hours' | 'ttl_hours') => changed[name] ?? limits.data?.[name] ?? '';
  return (
    <Card title={t('Sessions')} headingId="sessions">
      <p className="t2" style={{ marginBottom: 12 }}>
        {t('For everybody whose role or account has no limits of its own. Changes apply at once.')}{' '}
        {limits.data
          ? t('0 means the value of the environment ({idle} and {most} hours).', {
              idle: limits.data.env_inactivity_hours,
              most: limits.data.env_ttl_hours,
            })
          : t('0 means the value of the environment.')}
      </p>
      <ErrorNote error={limits.error} />
      <Form
        layout="card"
        submit={t('Save limits')}
        ready={Object.keys(changed).length > 0 && Object.values(changed).every((each) => each !== '')}
        save={() => people.changeSessionSettings(Object.fromEntries(Object.entries(changed).map(([name, hours]) => [name, Number(hours)])))}
        onSaved={() => {
          toast(t('Session limits saved'));
          setChanged({});
          return client.invalidateQueries({ queryKey: ['session-settings'] });
        }}
      >
        {(errorAt) => (
          <>
            <NumberInput
              label={t('Sign out when idle for (hours)')}
              min={0}
              max={8760}
              value={value('inactivity_hours')}
              error={errorAt('inactivity_hours')}
              onChange={(inactivity_hours) => setChanged({ ...changed, inactivity_hours })}
            />
            <NumberInput
              label={t('Sign out after (hours)')}
              min={0}
              max={8760}
              value={value('ttl_hours')}
              error={errorAt('ttl_hours')}
              onChange={(ttl_hours) => setChanged({ ...changed, ttl_hours })}
            />
          </>
        )}
      </Form>
    </Card>
  );
}
