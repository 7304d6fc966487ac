import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CirclePause, CircleX, Clock, Plus } from 'lucide-react';
import { useState } from 'react';
import * as operations from '../../../api/operations.ts';
import type { BackupTarget } from '../../../api/types.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Card } from '../../../components/page.tsx';
import { ErrorNote } from '../../../components/states.tsx';
import { StatusPill } from '../../../components/status.tsx';
import { toast } from '../../../components/toast.tsx';
import { formatRecent } from '../../../format/dates.ts';
import { formatBytes } from '../../../format/numbers.ts';
import { t } from '../../../language/text.ts';
import { TargetDialog } from './target-dialog.tsx';
import s from './targets-card.module.css';

/** Places outside this machine that receive a copy of every backup. */
export function TargetsCard() {
  const client = useQueryClient();
  const list = useQuery({ queryKey: ['backup-targets'], queryFn: operations.backupTargets, refetchInterval: 15_000 });
  const [editing, setEditing] = useState<BackupTarget | 'new' | null>(null);
  const [removing, setRemoving] = useState<BackupTarget | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['backup-targets'] });
  const act = useMutation({
    mutationFn: async ({ run, done }: { run: () => Promise<unknown>; done: string }) => {
      await run();
      toast(done);
    },
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: (target: BackupTarget) => operations.testBackupTarget(target.id),
    onSuccess: ({ ok, detail }, { name }) =>
      toast(ok ? t('{name} works. {detail}', { name, detail }) : t('{name} does not work. {detail}', { name, detail })),
  });
  return (
    <Card
      title={t('Off-site')}
      headingId="backups-targets"
      aside={
        <Button onClick={() => setEditing('new')}>
          <Plus size={16} aria-hidden />
          {t('Add place…')}
        </Button>
      }
    >
      <ErrorNote error={list.error ?? act.error ?? test.error} />
      {list.data?.length === 0 && (
        <p className="t2">
          {t(
            'Every backup is on the disk of this server. Add a network folder, an SFTP server or S3 storage, and each backup is copied there within five minutes.',
          )}
        </p>
      )}
      <ul className={s.targets} data-list>
        {list.data?.map((target) => (
          <li key={target.id} className={s.target}>
            <div className="row g2 wrap">
              <span className="m5 grow">{target.name}</span>
              <State target={target} />
            </div>
            <div className="meta t2">
              <bdi className="mono anywhere">{placeOf(target)}</bdi>
            </div>
            {target.public_key && (
              <div className="meta t2">
                {t('Line for authorized_keys:')} <bdi className="mono anywhere">{target.public_key}</bdi>
              </div>
            )}
            {target.warning && <div className="meta">{target.warning}</div>}
            <div className="meta muted">{describe(target)}</div>
            <div className="row g2 wrap">
              <Button
                size="s"
                aria-label={t('Test {name}', { name: target.name })}
                onClick={() => test.mutate(target)}
                disabled={test.isPending}
              >
                {t('Test')}
              </Button>
              <Button
                size="s"
                aria-label={t('Copy now to {name}', { name: target.name })}
                onClick={() =>
                  act.mutate({ run: () => operations.copyBackups(target.id), done: t('Copying backups to {name}', { name: target.name }) })
                }
                disabled={act.isPending || !target.enabled}
              >
                {t('Copy now')}
              </Button>
              <Button size="s" aria-label={t('Edit {name}', { name: target.name })} onClick={() => setEditing(target)}>
                {t('Edit…')}
              </Button>
              <Button size="s" variant="ghost" aria-label={t('Remove {name}', { name: target.name })} onClick={() => setRemoving(target)}>
                {t('Remove…')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {editing && (
        <TargetDialog
          target={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null);
            void refresh();
          }}
        />
      )}
      <ConfirmDialog
        opened={removing !== null}
        title={t('Stop copying backups here?')}
        confirm={t('Remove place')}
        danger
        onConfirm={async () => {
          if (removing) await operations.removeBackupTarget(removing.id);
          await refresh();
        }}
        onClose={() => setRemoving(null)}
      >
        {t('Backups that were copied to {name} stay there.', { name: removing?.name })}
      </ConfirmDialog>
    </Card>
  );
}

function placeOf({ kind, config }: BackupTarget): string {
  if (kind === 'folder') return config.path ?? '';
  if (kind === 'sftp') return `sftp://${config.username}@${config.host}:${config.port}${config.path}`;
  return `${config.endpoint}/${config.bucket}/${config.prefix ?? ''}`;
}

const troubled = ({ copies }: BackupTarget) => copies.find(({ state }) => state === 'failed' || state === 'retrying');

function State({ target }: { target: BackupTarget }) {
  if (!target.enabled)
    return (
      <StatusPill tone="idle" icon={CirclePause}>
        {t('Off')}
      </StatusPill>
    );
  const bad = troubled(target);
  if (bad)
    return (
      <StatusPill tone="danger" icon={CircleX}>
        {bad.state === 'failed' ? t('Failed') : t('Trying again')}
      </StatusPill>
    );
  return target.copies.some(({ state }) => state === 'done') ? (
    <StatusPill tone="ok" icon={CircleCheck}>
      {t('Up to date')}
    </StatusPill>
  ) : (
    <StatusPill tone="idle" icon={Clock}>
      {t('Waiting')}
    </StatusPill>
  );
}

function describe(target: BackupTarget): string {
  const bad = troubled(target);
  if (bad)
    return `${bad.bundle}: ${bad.error ?? ''} ${bad.next_attempt_at ? t('Next attempt {next_attempt_at}.', { next_attempt_at: formatRecent(bad.next_attempt_at) }) : t('All attempts failed; choose Copy now to try again.')}`;
  const done = target.copies.filter(({ state }) => state === 'done');
  const [newest] = done;
  if (!newest) return t('Keeps the newest {keep}. Nothing was copied yet.', { keep: target.keep });
  return t('{done} of {keep} kept. Newest {bundle}, {bytes}, copied {finished_at}.', {
    done: done.length,
    keep: target.keep,
    bundle: newest.bundle,
    bytes: formatBytes(newest.bytes ?? 0),
    finished_at: formatRecent(newest.finished_at ?? ''),
  });
}
