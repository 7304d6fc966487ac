import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CloudUpload, Package, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import * as operations from '../../../api/operations.ts';
import type { Backup, BackupTarget } from '../../../api/types.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Card } from '../../../components/page.tsx';
import { EmptyState, ErrorNote, ErrorState, Loading } from '../../../components/states.tsx';
import { Note } from '../../../components/status.tsx';
import { toast } from '../../../components/toast.tsx';
import { formatBytes } from '../../../format/numbers.ts';
import { rich } from '../../../language/rich.ts';
import { serverText, t } from '../../../language/text.ts';
import { useKeys } from '../../../shell/keys.ts';
import s from './backups-tab.module.css';
import { BackupsTable } from './backups-table.tsx';
import { DrillCard } from './drill-card.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { TargetsCard } from './targets-card.tsx';

/** Backups with their size and whether a restore of each was proven, the schedule, and how to restore. */
export function BackupsTab() {
  const client = useQueryClient();
  const list = useQuery({ queryKey: ['backups'], queryFn: operations.backups, refetchInterval: 5000 });
  const targets = useQuery({ queryKey: ['backup-targets'], queryFn: operations.backupTargets, refetchInterval: 15_000 });
  const [deleting, setDeleting] = useState<string | null>(null);
  const [restoring, setRestoring] = useState<Backup | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const act = useMutation({
    mutationFn: ({ run }: { run: () => Promise<unknown>; done: string }) => run(),
    onSuccess: (_response, { done }) => {
      toast(done);
      void client.invalidateQueries({ queryKey: ['backups'] });
    },
  });
  const backUp = () => act.mutate({ run: operations.backUpNow, done: t('The backup runs in the background') });
  const verify = (name: string) =>
    act.mutate({ run: () => operations.verifyBackup(name), done: t('The verification runs in the background') });
  const upload = (chosen: File | undefined) => {
    if (chosen) act.mutate({ run: () => operations.addBackup(chosen), done: t('Backup added') });
  };
  const newest = list.data?.bundles.find(({ damage }) => damage === null);
  useKeys({
    b: backUp,
    v: () => {
      const name = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-backup]')?.dataset['backup'] ?? newest?.name;
      if (name) verify(name);
      return name !== undefined;
    },
  });
  if (list.error && !list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Loading what={t('backups')} />;
  const { bundles, dir, keep, incomplete_note } = list.data;
  const total = bundles.reduce((sum, { bytes }) => sum + bytes, 0);
  const buttons = (
    <>
      <Button onClick={() => file.current?.click()} disabled={act.isPending}>
        <Upload size={16} aria-hidden />
        {t('Add from file…')}
      </Button>
      <Button variant="primary" onClick={backUp} disabled={act.isPending}>
        <Package size={16} aria-hidden />
        {t('Back up now')}
      </Button>
    </>
  );
  return (
    <div className="col g4">
      <p className="t2">
        {t('Backups hold the catalog: database, tags, notes and rules. Your files are not part of them. {incomplete_note}', {
          incomplete_note: serverText(incomplete_note),
        })}
      </p>
      <input
        ref={file}
        type="file"
        accept=".tar"
        hidden
        aria-label={t('Backup file')}
        onChange={(event) => upload(event.currentTarget.files?.[0])}
      />
      <ErrorNote error={act.error} />
      <LateCopies targets={targets.data ?? []} />
      <div className={s.columns}>
        {bundles.length === 0 ? (
          <EmptyState title={t('No backup yet')} actions={buttons}>
            {t('Make the first one now, and choose a schedule for the others.')}
          </EmptyState>
        ) : (
          <Card
            headingId="backups"
            title={
              <>
                <h2 className="h3" id="backups">
                  {t('Backups')}
                </h2>
                <span className="muted">{t('{bundles}, using {total}', { bundles: bundles.length, total: formatBytes(total) })}</span>
              </>
            }
            aside={<span className={s.buttons}>{buttons}</span>}
          >
            <BackupsTable
              bundles={bundles}
              targets={targets.data ?? []}
              busy={act.isPending}
              onVerify={verify}
              onRestore={setRestoring}
              onDelete={setDeleting}
            />
          </Card>
        )}
        <div className="col g4">
          <ScheduleCard keep={keep} folder={dir} />
          <DrillCard bundles={bundles} busy={act.isPending} {...(newest && { onRun: () => verify(newest.name) })} />
          <TargetsCard />
        </div>
      </div>
      {restoring && <RestoreDialog backup={restoring} onClose={() => setRestoring(null)} />}
      <ConfirmDialog
        opened={deleting !== null}
        title={t('Delete this backup?')}
        confirm={t('Delete backup')}
        danger
        onConfirm={async () => {
          if (deleting) await operations.deleteBackup(deleting);
          toast(t('Backup deleted'));
          await client.invalidateQueries({ queryKey: ['backups'] });
        }}
        onClose={() => setDeleting(null)}
      >
        {t('{deleting} is removed from this server. Copies in other places stay.', { deleting })}
      </ConfirmDialog>
    </div>
  );
}

/** Says at the top of the page that a place did not get its copies, because nobody looks for that before a disaster. */
function LateCopies({ targets }: { targets: readonly BackupTarget[] }) {
  const late = targets.filter(({ enabled, copies }) => enabled && copies.some(({ state }) => state === 'failed' || state === 'retrying'));
  if (late.length === 0) return null;
  const reason = late[0]?.copies.find(({ error }) => error !== null)?.error ?? '';
  return (
    <Note tone="warn" icon={CloudUpload} live>
      {rich('<b>Copies to {late} are late.</b> {reason} The backups on this machine are not affected.', {
        late: late.map(({ name }) => name).join(', '),
        b: (text) => <b>{text}</b>,
        reason,
      })}
    </Note>
  );
}
