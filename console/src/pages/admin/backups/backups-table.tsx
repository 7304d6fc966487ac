import { Menu } from '@mantine/core';
import { CircleCheck, CircleSlash, CircleX, CloudUpload, Download, Ellipsis, RotateCcw, ShieldCheck, Trash2 } from 'lucide-react';
import type { Backup, BackupTarget } from '../../../api/types.ts';
import { IconButton } from '../../../components/button.tsx';
import { StatusText } from '../../../components/status.tsx';
import { Table } from '../../../components/table.tsx';
import { formatRecent } from '../../../format/dates.ts';
import { formatBytes, pluralize } from '../../../format/numbers.ts';

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
          head: 'Taken',
          className: 'm5',
          cell: (backup) => (
            <span data-backup={backup.name} title={backup.name}>
              {takenAt(backup)}
            </span>
          ),
        },
        { head: 'Size', cell: ({ bytes }) => formatBytes(bytes) },
        {
          head: 'Content',
          className: 't2',
          wideOnly: true,
          cell: ({ item_count }) => (item_count === null ? '–' : pluralize(item_count, 'file')),
        },
        { head: 'Verified', cell: (backup) => <Verified {...backup} /> },
        ...(targets.length > 0 ? [{ head: 'Off-site', cell: (backup: Backup) => <OffSite name={backup.name} targets={targets} /> }] : []),
      ]}
      actions={(backup) => (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <IconButton size="s" label={`More for the backup of ${takenAt(backup)}`} disabled={busy}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<ShieldCheck size={16} aria-hidden />} onClick={() => onVerify(backup.name)}>
              Verify
            </Menu.Item>
            {!backup.damage && (
              <>
                <Menu.Item
                  component="a"
                  href={`/api/v1/system/backups/${backup.name}`}
                  download
                  leftSection={<Download size={16} aria-hidden />}
                >
                  Download
                </Menu.Item>
                <Menu.Item leftSection={<RotateCcw size={16} aria-hidden />} onClick={() => onRestore(backup)}>
                  Restore…
                </Menu.Item>
              </>
            )}
            <Menu.Item leftSection={<Trash2 size={16} aria-hidden />} onClick={() => onDelete(backup.name)}>
              Delete…
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
        Damaged: {error}
      </StatusText>
    );
  if (!verification)
    return (
      <StatusText tone="idle" icon={CircleSlash}>
        Not verified
      </StatusText>
    );
  return (
    <StatusText tone="ok" icon={CircleCheck}>
      Verified {formatRecent(verification.verified_at)}
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
        {failed.state === 'failed' ? 'Failed' : 'Trying again'}
      </StatusText>
    );
  const done = copies.filter(({ state }) => state === 'done');
  if (copies.length > 0 && done.length === copies.length)
    return (
      <StatusText tone="ok" icon={CircleCheck}>
        Copied {formatRecent(done[0]?.finished_at ?? '')}
      </StatusText>
    );
  const isCopying = copies.some(({ state }) => state === 'copying');
  return (
    <StatusText tone={isCopying ? 'active' : 'idle'} icon={CloudUpload}>
      {isCopying ? 'Copying' : 'Not sent'}
    </StatusText>
  );
}
