import { TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleX, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/directory.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';

/** What the directory sync has read, and whether it works. */
export function DirectoryCard() {
  const client = useQueryClient();
  const [q, setQ] = useState('');
  const status = useQuery({ queryKey: ['directory', 'status'], queryFn: api.directoryStatus });
  const objects = useQuery({ queryKey: ['directory', 'objects', q], queryFn: () => api.directoryObjects(q) });
  const sync = useMutation({
    mutationFn: api.startSync,
    onSuccess: async (started) => {
      toast(started.job_id ? t('The sync has started') : t('The sync is already waiting or running'));
      await client.invalidateQueries({ queryKey: ['directory'] });
    },
  });
  const { data } = status;
  return (
    <Card
      title={t('Directory')}
      aside={
        data?.enabled && (
          <Button size="s" onClick={() => sync.mutate()} disabled={sync.isPending}>
            <RefreshCw size={16} aria-hidden />
            {t('Sync now')}
          </Button>
        )
      }
    >
      <ErrorNote error={status.error ?? objects.error ?? sync.error} />
      {!data && !status.error && <Loading what={t('the directory')} />}
      {data && (
        <p className="t2">
          {data.last_synced_at
            ? t('{users|# user|# users}, {groups|# group|# groups} and {computers|# computer|# computers}, read {last_synced_at}.', {
                users: data.users,
                groups: data.groups,
                computers: data.computers,
                last_synced_at: timeAgo(data.last_synced_at),
              })
            : data.enabled
              ? t('Nothing was read yet.')
              : t('The sync is off. Nothing was read.')}
        </p>
      )}
      {data?.sources
        .filter(({ last_error }) => last_error)
        .map(({ label, last_error }) => (
          <Note key={label} tone="danger" icon={CircleX}>
            {t('{label} could not be read: {last_error}', { label, last_error })}
          </Note>
        ))}
      {data?.last_synced_at && (
        <>
          <TextInput
            label={t('Find a user, group or SID')}
            value={q}
            maxLength={256}
            onChange={(event) => setQ(event.currentTarget.value)}
          />
          <Table
            rows={objects.data?.objects ?? []}
            keyOf={(object) => object.object_guid}
            columns={[
              {
                head: t('Name'),
                className: 'm5',
                cell: (object) => object.display_name ?? object.sam_account_name ?? object.distinguished_name,
              },
              { head: t('Account'), cell: (object) => [object.domain, object.sam_account_name].filter(Boolean).join('\\') },
              { head: t('Kind'), cell: (object) => (object.disabled ? t('{kind}, disabled', { kind: object.kind }) : object.kind) },
              { head: 'SID', className: 't2', wideOnly: true, cell: (object) => object.object_sid ?? '' },
            ]}
          />
        </>
      )}
    </Card>
  );
}
