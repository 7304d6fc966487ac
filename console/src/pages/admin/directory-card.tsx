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
import { pluralize } from '../../format/numbers.ts';

/** What the directory sync has read, and whether it works. */
export function DirectoryCard() {
  const client = useQueryClient();
  const [q, setQ] = useState('');
  const status = useQuery({ queryKey: ['directory', 'status'], queryFn: api.directoryStatus });
  const objects = useQuery({ queryKey: ['directory', 'objects', q], queryFn: () => api.directoryObjects(q) });
  const sync = useMutation({
    mutationFn: api.startSync,
    onSuccess: async (started) => {
      toast(started.job_id ? 'The sync has started' : 'The sync is already waiting or running');
      await client.invalidateQueries({ queryKey: ['directory'] });
    },
  });
  const { data } = status;
  return (
    <Card
      title="Directory"
      aside={
        data?.enabled && (
          <Button size="s" onClick={() => sync.mutate()} disabled={sync.isPending}>
            <RefreshCw size={16} aria-hidden />
            Sync now
          </Button>
        )
      }
    >
      <ErrorNote error={status.error ?? objects.error ?? sync.error} />
      {!data && !status.error && <Loading what="the directory" />}
      {data && (
        <p className="t2">
          {data.last_synced_at
            ? `${pluralize(data.users, 'user')}, ${pluralize(data.groups, 'group')} and ${pluralize(data.computers, 'computer')}, read ${timeAgo(data.last_synced_at)}.`
            : data.enabled
              ? 'Nothing was read yet.'
              : 'The sync is off. Nothing was read.'}
        </p>
      )}
      {data?.sources
        .filter(({ last_error }) => last_error)
        .map(({ label, last_error }) => (
          <Note key={label} tone="danger" icon={CircleX}>
            {label} could not be read: {last_error}
          </Note>
        ))}
      {data?.last_synced_at && (
        <>
          <TextInput label="Find a user, group or SID" value={q} maxLength={256} onChange={(event) => setQ(event.currentTarget.value)} />
          <Table
            rows={objects.data?.objects ?? []}
            keyOf={(object) => object.object_guid}
            columns={[
              {
                head: 'Name',
                className: 'm5',
                cell: (object) => object.display_name ?? object.sam_account_name ?? object.distinguished_name,
              },
              { head: 'Account', cell: (object) => [object.domain, object.sam_account_name].filter(Boolean).join('\\') },
              { head: 'Kind', cell: (object) => (object.disabled ? `${object.kind}, disabled` : object.kind) },
              { head: 'SID', className: 't2', wideOnly: true, cell: (object) => object.object_sid ?? '' },
            ]}
          />
        </>
      )}
    </Card>
  );
}
