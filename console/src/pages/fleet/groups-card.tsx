import { Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { ConfigGroup } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { formatDateTime, timeAgo } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import s from './agents-tab.module.css';

/** Configuration groups in the order in which they apply, with their history. */
export function GroupsCard() {
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups });
  const [opened, setOpened] = useState<ConfigGroup | null>(null);
  const columns: Column<ConfigGroup>[] = [
    { head: 'Group', cell: ({ name }) => <bdi>{name}</bdi> },
    { head: 'Agents', className: 'num', cell: ({ member_count }) => formatCount(member_count) },
    { head: 'Version', className: 'num', cell: ({ current_version }) => formatCount(current_version), wideOnly: true },
    { head: 'Changed', className: 'nw', cell: ({ updated_at }) => timeAgo(updated_at), wideOnly: true },
    {
      head: '',
      cell: (group) => (
        <Button onClick={() => setOpened(group)} aria-label={`History of ${group.name}`}>
          <History size={16} aria-hidden />
          History
        </Button>
      ),
    },
  ];
  return (
    <Card
      headingId="groups"
      title={
        <h2 className="h3" id="groups">
          Groups
        </h2>
      }
    >
      <ErrorNote error={groups.error} />
      {groups.data ? <Table rows={groups.data} keyOf={({ id }) => id} columns={columns} /> : <Loading what="groups" />}
      {opened && <GroupHistory group={opened} onClose={() => setOpened(null)} />}
    </Card>
  );
}

function GroupHistory({ group, onClose }: { group: ConfigGroup; onClose: () => void }) {
  const client = useQueryClient();
  const versions = useQuery({ queryKey: ['agents', 'history', group.id], queryFn: () => fleet.groupHistory(group.id) });
  const restore = useMutation({
    mutationFn: (version: number) => fleet.rollBackGroup(group.id, version),
    onSuccess: async () => {
      toast('Version restored');
      await client.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  const current = versions.data?.[0]?.version;
  return (
    <Modal opened onClose={onClose} title={`History of ${group.name}`} size={640} closeButtonProps={{ 'aria-label': 'Close' }}>
      <ErrorNote error={versions.error ?? restore.error} />
      <ul className={s.commands}>
        {versions.data?.map(({ version, note, actor, created_at, policy }) => (
          <li key={version}>
            <span className={s.what}>
              Version {version} <span className="muted">{formatDateTime(created_at)}</span>
              {actor ? ` by ${actor}` : ''}
              {note ? `: ${note}` : ''}
              <br />
              <code className="mono anywhere">{JSON.stringify(policy)}</code>
            </span>
            {version !== current && (
              <Button onClick={() => restore.mutate(version)} disabled={restore.isPending}>
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  );
}
