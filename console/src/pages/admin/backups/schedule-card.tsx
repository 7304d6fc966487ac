import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as operations from '../../../api/operations.ts';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/page.tsx';
import { PathText } from '../../../components/path-text.tsx';
import { ErrorNote } from '../../../components/states.tsx';
import { toast } from '../../../components/toast.tsx';
import { formatRecent } from '../../../format/dates.ts';
import { t } from '../../../language/text.ts';
import { CronInput } from '../../schedules/cron-input.tsx';
import s from './backups-tab.module.css';

/** When the maintenance task for backups runs. */
export function ScheduleCard({ keep, folder }: { keep: number; folder: string }) {
  const client = useQueryClient();
  const tasks = useQuery({ queryKey: ['maintenance'], queryFn: operations.maintenanceTasks });
  const task = tasks.data?.find(({ key }) => key === 'backup_now');
  const change = useMutation({
    mutationFn: (cron: string) => operations.updateMaintenanceTask('backup_now', { cron: cron === '' ? null : cron, enabled: true }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['maintenance'] });
      setTyped(null);
      toast(t('Schedule of backups saved'));
    },
  });
  const cron = task?.enabled ? (task.cron ?? '') : '';
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Card title={t('Schedule')} headingId="backups-schedule">
      <ErrorNote error={tasks.error ?? change.error} />
      {task && <CronInput key={task.cron} label={t('Back up')} never={t('Only on demand')} value={typed ?? cron} onChange={setTyped} />}
      {typed !== null && typed !== cron && (
        <Button style={{ marginTop: 8 }} disabled={change.isPending} onClick={() => change.mutate(typed)}>
          {t('Save schedule')}
        </Button>
      )}
      <dl className={s.facts}>
        <dt>{t('Next')}</dt>
        <dd>{task?.next_run_at ? formatRecent(task.next_run_at) : t('Not scheduled')}</dd>
        <dt>{t('Keep')}</dt>
        <dd>{t('The newest {keep}', { keep })}</dd>
        <dt>{t('Folder')}</dt>
        <dd>
          <bdi className="mono">
            <PathText path={folder} />
          </bdi>
        </dd>
      </dl>
    </Card>
  );
}
