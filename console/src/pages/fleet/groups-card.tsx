import { useQuery, useQueryClient } from '@tanstack/react-query';
import { History, Plus } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { ConfigGroup } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { type Column, RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { GroupDialog } from './group-dialog.tsx';
import { GroupHistory } from './group-history.tsx';

type Opened = { what: 'edit'; group: ConfigGroup | null } | { what: 'history' | 'remove'; group: ConfigGroup };

/** Configuration groups in the order in which they apply. */
export function GroupsCard() {
  const client = useQueryClient();
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups });
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const columns: Column<ConfigGroup>[] = [
    { head: t('Group'), cell: ({ name }) => <bdi>{name}</bdi> },
    { head: t('Agents'), numeric: true, cell: ({ member_count }) => formatCount(member_count), wideOnly: true },
    { head: t('Version'), numeric: true, cell: ({ current_version }) => formatCount(current_version), wideOnly: true },
    { head: t('Changed'), className: 'nw', cell: ({ updated_at }) => timeAgo(updated_at), wideOnly: true },
  ];
  return (
    <Card
      headingId="groups"
      title={t('Groups')}
      aside={
        <Button onClick={() => setOpened({ what: 'edit', group: null })}>
          <Plus size={16} aria-hidden />
          {t('New group')}
        </Button>
      }
    >
      <ErrorNote error={groups.error} />
      {groups.data ? (
        <Table
          rows={groups.data}
          keyOf={({ id }) => id}
          columns={columns}
          actions={(group) => (
            <RowActions
              name={group.name}
              onEdit={() => setOpened({ what: 'edit', group })}
              {...(!group.is_system && { onRemove: () => setOpened({ what: 'remove', group }) })}
            >
              <Button
                size="s"
                onClick={() => setOpened({ what: 'history', group })}
                aria-label={t('History of {name}', { name: group.name })}
              >
                <History size={14} aria-hidden />
                {t('History')}
              </Button>
            </RowActions>
          )}
        />
      ) : (
        <Loading what={t('groups')} />
      )}
      {opened?.what === 'edit' && <GroupDialog group={opened.group} onClose={close} />}
      {/* The list may be refreshed after the click, and the history must show the group as it is then. */}
      {opened?.what === 'history' && (
        <GroupHistory group={groups.data?.find(({ id }) => id === opened.group.id) ?? opened.group} onClose={close} />
      )}
      <ConfirmDialog
        opened={opened?.what === 'remove'}
        title={t('Remove the group “{name}”?', { name: opened?.group?.name })}
        confirm={t('Remove group')}
        danger
        onConfirm={async () => {
          if (opened?.group) await fleet.deleteGroup(opened.group.id);
          toast(t('Group removed'));
          await client.invalidateQueries({ queryKey: ['agents'] });
        }}
        onClose={close}
      >
        {t('Its agents go on with the settings of their other groups.')}
      </ConfirmDialog>
    </Card>
  );
}
