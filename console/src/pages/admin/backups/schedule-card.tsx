import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as operations from '../../../api/operations.ts';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/page.tsx';
import { ErrorNote } from '../../../components/states.tsx';
import { toast } from '../../../components/toast.tsx';
import { formatRecent } from '../../../format/dates.ts';
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
      toast('Schedule of backups saved');
    },
  });
  const cron = task?.enabled ? (task.cron ?? '') : '';
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Card title="Schedule" headingId="backups-schedule">
      <ErrorNote error={tasks.error ?? change.error} />
      {task && <CronInput key={task.cron} label="Back up" never="Only on demand" value={typed ?? cron} onChange={setTyped} />}
      {typed !== null && typed !== cron && (
        <Button style={{ marginTop: 8 }} disabled={change.isPending} onClick={() => change.mutate(typed)}>
          Save schedule
        </Button>
      )}
      <dl className={s.facts}>
        <dt>Next</dt>
        <dd>{task?.next_run_at ? formatRecent(task.next_run_at) : 'Not scheduled'}</dd>
        <dt>Keep</dt>
        <dd>The newest {keep}</dd>
        <dt>Folder</dt>
        <dd>
          <bdi className="mono anywhere">{folder}</bdi>
        </dd>
      </dl>
    </Card>
  );
}
