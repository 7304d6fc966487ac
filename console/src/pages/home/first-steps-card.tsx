import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, X } from 'lucide-react';
import { alertChannels } from '../../api/alerts.ts';
import { maintenanceTasks } from '../../api/operations.ts';
import { setPreferences, users } from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Library } from '../../api/types.ts';
import { ButtonLink, IconButton } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import { type FirstSteps, firstSteps } from './first-steps.ts';
import s from './home-page.module.css';

const KEY = 'first_steps';

/** A short list of what to do after the first scan. Each person sees it until it is done or dismissed. */
export function FirstStepsCard({ libraries }: { libraries: Library[] | undefined }) {
  const { me, can } = useSession();
  const client = useQueryClient();
  const kept = (me?.preferences[KEY] ?? {}) as FirstSteps;
  const scanned = (libraries ?? []).some((library) => library.last_scan?.status === 'finished');
  const wanted = me !== null && scanned && kept.dismissed !== true;
  const admin = can('admin');
  const asked = { enabled: wanted && admin, staleTime: 30_000, retry: false };
  const people = useQuery({ queryKey: ['users'], queryFn: users, ...asked });
  const tasks = useQuery({ queryKey: ['maintenance'], queryFn: maintenanceTasks, ...asked });
  const channels = useQuery({ queryKey: ['alert-channels'], queryFn: alertChannels, ...asked });
  const save = useMutation({
    mutationFn: (change: FirstSteps) => setPreferences({ ...me?.preferences, [KEY]: { ...kept, ...change } }),
    onSuccess: (saved) => client.setQueryData(['auth', 'me'], saved),
    onError: (error) => toast(t('Could not save. {errorMessage}', { errorMessage: errorMessage(error) })),
  });
  if (!wanted) return null;
  const steps = firstSteps({
    searched: kept.searched === true,
    admin,
    people: people.data?.length,
    backups: tasks.data?.some(({ key, cron, enabled }) => key === 'backup_now' && enabled && cron !== null),
    channels: channels.data?.length,
  });
  const left = steps.filter(({ done }) => done !== true).length;
  if (left === 0) return null;
  return (
    <Card
      headingId="home-first-steps"
      title={t('First steps')}
      aside={
        <IconButton size="s" label={t('Dismiss first steps')} onClick={() => save.mutate({ dismissed: true })}>
          <X size={14} aria-hidden />
        </IconButton>
      }
    >
      <ul className={s.list}>
        {steps.map((step) => {
          const Icon = step.done ? CircleCheck : CircleDashed;
          return (
            <li key={step.key} className={s.attention}>
              <Icon size={18} aria-hidden className={step.done ? s.done : s.todo} />
              <div className={s.words}>
                <b className="m5">{step.title}</b>
                {step.done && <span className="visually-hidden"> {t('Done')}</span>}
                <p className="t2">{step.detail}</p>
              </div>
              {!step.done && (
                <ButtonLink size="s" href={step.href} onClick={() => step.key === 'search' && save.mutate({ searched: true })}>
                  {step.action}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
