import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import * as operations from '../../api/operations.ts';
import { errorMessage } from '../../api/problem.ts';
import type { MaintenanceTask } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FormDialog } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent, timeAgo } from '../../format/dates.ts';
import { serverText, t } from '../../language/text.ts';
import { CronInput } from '../schedules/cron-input.tsx';
import { cronWords } from '../schedules/cron-words.ts';
import s from './maintenance-card.module.css';
import { outcomeText } from './run-outcome.ts';

/** Scheduled maintenance tasks with their last and next run. */
export function MaintenanceCard() {
  const client = useQueryClient();
  const tasks = useQuery({ queryKey: ['maintenance'], queryFn: operations.maintenanceTasks, refetchInterval: 15_000 });
  const [rebuilding, setRebuilding] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ['maintenance'] });
  const act = useMutation({
    mutationFn: ({ run }: { run: () => Promise<unknown>; done: string }) => run(),
    onSuccess: (_response, { done }) => {
      toast(done);
      void refresh();
    },
  });
  return (
    <Card title={t('Maintenance')}>
      <p className="meta muted" style={{ marginBottom: 12 }}>
        {t('All times are in your time zone.')}
      </p>
      <ErrorNote error={act.error} />
      {tasks.error && <p role="alert">{errorMessage(tasks.error)}</p>}
      {!tasks.data && !tasks.error && <Loading what={t('tasks')} />}
      <ul className={s.tasks} data-list>
        {tasks.data?.map((task) => (
          <li key={task.key} className={s.task}>
            <div style={{ minWidth: 0 }}>
              <div className="m5">{task.title}</div>
              <div className="meta t2">{task.description}</div>
              {task.gate && <div className="meta muted">{serverText(task.gate.reason)}</div>}
            </div>
            <div className="meta muted">
              {lastRunText(task)}
              {task.last_run?.outcome && (
                <>
                  <br />
                  {outcomeText(task.last_run)}
                </>
              )}
              <br />
              {task.next_run_at && task.enabled
                ? t('Next run {next_run_at}', { next_run_at: formatRecent(task.next_run_at).replaceAll(' ', '\u00a0') })
                : task.cron
                  ? t('Turned off')
                  : t('Runs on demand')}
            </div>
            <Schedule
              task={task}
              onSave={(change, done) => act.mutate({ run: () => operations.updateMaintenanceTask(task.key, change), done })}
            />
            <span className="num">
              {task.runnable && (
                <Button
                  size="s"
                  aria-label={t('Run {title} now', { title: task.title })}
                  onClick={() =>
                    act.mutate({ run: () => operations.runMaintenanceTask(task.key), done: t('{title} started', { title: task.title }) })
                  }
                  disabled={act.isPending}
                >
                  <Play size={14} aria-hidden />
                  {t('Run')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className="row g2 wrap" style={{ marginTop: 12 }}>
        <Button
          size="s"
          onClick={() => act.mutate({ run: operations.retryAllExtracts, done: t('Unreadable files are queued for another attempt') })}
          disabled={act.isPending}
        >
          {t('Retry unreadable files')}
        </Button>
        <Button size="s" onClick={() => setRebuilding(true)}>
          {t('Rebuild search index…')}
        </Button>
      </div>
      <ConfirmDialog
        opened={rebuilding}
        title={t('Rebuild the search index?')}
        confirm={t('Rebuild index')}
        onConfirm={async () => {
          await operations.rebuildIndex();
          toast(t('Rebuilding the search index in the background'));
          await refresh();
        }}
        onClose={() => setRebuilding(false)}
      >
        {t('All files are written to a new index. Search keeps using the current one until the new one is complete.')}
      </ConfirmDialog>
    </Card>
  );
}

const RUN_STATUS: Record<string, string> = {
  succeeded: t('Succeeded'),
  failed: t('Failed'),
  doing: t('Started'),
  aborting: t('Stopping since'),
  todo: t('Queued'),
};

function lastRunText({ last_run }: MaintenanceTask): string {
  return last_run ? `${RUN_STATUS[last_run.status] ?? last_run.status} ${timeAgo(last_run.at)}` : t('Never run');
}

/** The schedule in words, with a button that edits it. */
function Schedule({
  task,
  onSave,
}: {
  task: MaintenanceTask;
  onSave: (change: { cron?: string | null; enabled?: boolean }, done: string) => void;
}) {
  const [editing, setEditing] = useState(false);
  const words = task.cron ? cronWords(task.cron) : t('No schedule');
  if (!task.editable) return <span className="muted">{task.cron ? words : ''}</span>;
  return (
    <span className="row g2 wrap">
      <Button
        size="s"
        variant="ghost"
        aria-label={t('Edit the schedule of {title}: {words}', { title: task.title, words })}
        onClick={() => setEditing(true)}
      >
        {words}
      </Button>
      {editing && <ScheduleDialog task={task} onClose={() => setEditing(false)} />}
      {task.cron && (
        <Button
          size="s"
          variant="ghost"
          aria-label={t(task.enabled ? 'Turn off {title}' : 'Turn on {title}', { title: task.title })}
          onClick={() =>
            onSave({ enabled: !task.enabled }, t(task.enabled ? '{title} turned off' : '{title} turned on', { title: task.title }))
          }
        >
          {task.enabled ? t('Turn off') : t('Turn on')}
        </Button>
      )}
    </span>
  );
}

function ScheduleDialog({ task, onClose }: { task: MaintenanceTask; onClose: () => void }) {
  const client = useQueryClient();
  const [cron, setCron] = useState(task.cron ?? '');
  return (
    <FormDialog
      title={t('Schedule of {title}', { title: task.title })}
      submit={t('Save')}
      ready
      save={() => operations.updateMaintenanceTask(task.key, { cron: cron.trim() || null })}
      onSaved={async () => {
        await client.invalidateQueries({ queryKey: ['maintenance'] });
        toast(t('Schedule of {title} saved', { title: task.title }));
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <CronInput
          label={t('Run')}
          never={task.default_cron ? t('Default: {cronWords}', { cronWords: cronWords(task.default_cron) }) : t('Only on demand')}
          value={cron}
          onChange={setCron}
          error={errorAt('cron')}
        />
      )}
    </FormDialog>
  );
}
