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
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';

/** Configuration groups in the order in which they apply, with their history. */
export function GroupsCard() {
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups });
  const [opened, setOpened] = useState<ConfigGroup | null>(null);
  const columns: Column<ConfigGroup>[] = [
    { head: t('Group'), cell: ({ name }) => <bdi>{name}</bdi> },
    { head: t('Agents'), className: 'num', cell: ({ member_count }) => formatCount(member_count) },
    { head: t('Version'), className: 'num', cell: ({ current_version }) => formatCount(current_version), wideOnly: true },
    { head: t('Changed'), className: 'nw', cell: ({ updated_at }) => timeAgo(updated_at), wideOnly: true },
    {
      head: '',
      cell: (group) => (
        <Button onClick={() => setOpened(group)} aria-label={t('History of {name}', { name: group.name })}>
          <History size={16} aria-hidden />
          {t('History')}
        </Button>
      ),
    },
  ];
  return (
    <Card
      headingId="groups"
      title={
        <h2 className="h3" id="groups">
          {t('Groups')}
        </h2>
      }
    >
      <ErrorNote error={groups.error} />
      {groups.data ? <Table rows={groups.data} keyOf={({ id }) => id} columns={columns} /> : <Loading what={t('groups')} />}
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
      toast(t('Version restored'));
      await client.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  const current = versions.data?.[0]?.version;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('History of {name}', { name: group.name })}
      size={640}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <ErrorNote error={versions.error ?? restore.error} />
      <ul className={s.commands}>
        {versions.data?.map(({ version, note, actor, created_at, policy }) => (
          <li key={version}>
            <span className={s.what}>
              {rich('Version {version} {created_at}', { version, created_at: <span className="muted">{formatDateTime(created_at)}</span> })}
              {actor ? ` ${t('by {actor}', { actor })}` : ''}
              {note ? `: ${note}` : ''}
              <br />
              <code className="mono anywhere">{JSON.stringify(policy)}</code>
            </span>
            {version !== current && (
              <Button onClick={() => restore.mutate(version)} disabled={restore.isPending}>
                {t('Restore')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  );
}
