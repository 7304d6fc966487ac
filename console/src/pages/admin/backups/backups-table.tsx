import { Menu } from '@mantine/core';
import { CircleCheck, CircleSlash, CircleX, CloudUpload, Download, Ellipsis, RotateCcw, ShieldCheck, Trash2 } from 'lucide-react';
import type { Backup, BackupTarget } from '../../../api/types.ts';
import { IconButton } from '../../../components/button.tsx';
import { StatusText } from '../../../components/status.tsx';
import { Table } from '../../../components/table.tsx';
import { formatRecent } from '../../../format/dates.ts';
import { formatBytes } from '../../../format/numbers.ts';
import { t } from '../../../language/text.ts';

interface BackupsTableProps {
  bundles: readonly Backup[];
  /** Places that receive copies. Without any, the column is left out. */
  targets: readonly BackupTarget[];
  busy: boolean;
  onVerify: (name: string) => void;
  onRestore: (backup: Backup) => void;
  onDelete: (name: string) => void;
}

export const takenAt = ({ created_at, name }: Backup): string => (created_at ? formatRecent(created_at) : name);

export function BackupsTable({ bundles, targets, busy, onVerify, onRestore, onDelete }: BackupsTableProps) {
  return (
    <Table
      rows={bundles}
      keyOf={({ name }) => name}
      columns={[
        {
          head: t('Created'),
          className: 'm5',
          cell: (backup) => (
            <span data-backup={backup.name} title={backup.name}>
              {takenAt(backup)}
            </span>
          ),
        },
        { head: t('Size'), cell: ({ bytes }) => formatBytes(bytes) },
        {
          head: t('Content'),
          className: 't2',
          wideOnly: true,
          cell: ({ item_count }) => (item_count === null ? '–' : t('{n|# file|# files}', { n: item_count })),
        },
        { head: t('Verified'), cell: (backup) => <Verified {...backup} /> },
        ...(targets.length > 0
          ? [{ head: t('Off-site'), cell: (backup: Backup) => <OffSite name={backup.name} targets={targets} /> }]
          : []),
      ]}
      actions={(backup) => (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <IconButton size="s" label={t('More for the backup of {takenAt}', { takenAt: takenAt(backup) })} disabled={busy}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<ShieldCheck size={16} aria-hidden />} onClick={() => onVerify(backup.name)}>
              {t('Verify')}
            </Menu.Item>
            {!backup.damage && (
              <>
                <Menu.Item
                  component="a"
                  href={`/api/v1/system/backups/${backup.name}`}
                  download
                  leftSection={<Download size={16} aria-hidden />}
                >
                  {t('Download')}
                </Menu.Item>
                <Menu.Item leftSection={<RotateCcw size={16} aria-hidden />} onClick={() => onRestore(backup)}>
                  {t('Restore…')}
                </Menu.Item>
              </>
            )}
            <Menu.Item leftSection={<Trash2 size={16} aria-hidden />} onClick={() => onDelete(backup.name)}>
              {t('Delete…')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    />
  );
}

function Verified({ damage, verification }: Backup) {
  const error = damage ?? verification?.error;
  if (error)
    return (
      <StatusText tone="danger" icon={CircleX}>
        {t('Damaged: {error}', { error })}
      </StatusText>
    );
  if (!verification)
    return (
      <StatusText tone="idle" icon={CircleSlash}>
        {t('Not verified')}
      </StatusText>
    );
  return (
    <StatusText tone="ok" icon={CircleCheck}>
      {t('Verified {verified_at}', { verified_at: formatRecent(verification.verified_at) })}
    </StatusText>
  );
}

/** The copies of one backup at all places together: the worst state is shown. */
function OffSite({ name, targets }: { name: string; targets: readonly BackupTarget[] }) {
  const copies = targets.flatMap((target) => target.copies.filter(({ bundle }) => bundle === name));
  const failed = copies.find(({ state }) => state === 'failed' || state === 'retrying');
  if (failed)
    return (
      <StatusText tone={failed.state === 'failed' ? 'danger' : 'warn'} icon={failed.state === 'failed' ? CircleX : CloudUpload}>
        {failed.state === 'failed' ? t('Failed') : t('Trying again')}
      </StatusText>
    );
  const done = copies.filter(({ state }) => state === 'done');
  if (copies.length > 0 && done.length === copies.length)
    return (
      <StatusText tone="ok" icon={CircleCheck}>
        {t('Copied {finished_at}', { finished_at: formatRecent(done[0]?.finished_at ?? '') })}
      </StatusText>
    );
  const isCopying = copies.some(({ state }) => state === 'copying');
  return (
    <StatusText tone={isCopying ? 'active' : 'idle'} icon={CloudUpload}>
      {isCopying ? t('Copying') : t('Not sent')}
    </StatusText>
  );
}
