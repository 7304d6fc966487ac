import { Modal } from '@mantine/core';
import type { Backup } from '../../../api/types.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { t } from '../../../language/text.ts';
import s from './backups-tab.module.css';
import { takenAt } from './backups-table.tsx';

/** A restore needs the service stopped, so the dialog says what to run and what happens. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const command = `catalog restore ${backup.name}`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Restore the backup of {takenAt}', { takenAt: takenAt(backup) })}
      size={560}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <ol className={s.steps}>
        <li>{t('Stop every app and worker process of this catalog.')}</li>
        <li>
          {t('Run this command on the server. It shows a plan and asks before it changes anything.')}
          <span className={s.command}>
            <code className="mono anywhere">{command}</code>
            <CopyButton text={command} label={t('Copy the command')} />
          </span>
        </li>
        <li>{t('Start the service again.')}</li>
      </ol>
      <p className="t2">
        {t(
          'Everything in the current catalog is replaced by the {item_count|# file|# files} of this backup, with their tags, notes, accounts and rules. The current catalog is backed up first. Your files are not touched.',
          { item_count: backup.item_count ?? 0 },
        )}
      </p>
    </Modal>
  );
}
