import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock, MoonStar, Pause, Play, RefreshCw, SkipForward, TriangleAlert, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note, StatusPill, StatusText } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent } from '../../format/dates.ts';
import { serverText, t } from '../../language/text.ts';
import s from './rollout-card.module.css';
import { platformNames, type RolloutView, rolloutsToShow, type StepView, stepsOf, viewOfConfig, viewOfRelease } from './rollout-view.ts';

/** Rollouts under way, and those that stopped lately. */
export function Rollouts() {
  const options = { refetchInterval: 5_000 };
  const updates = useQuery({ queryKey: ['agents', 'release-rollouts'], queryFn: fleet.releaseRollouts, ...options });
  const settings = useQuery({ queryKey: ['agents', 'config-rollouts'], queryFn: fleet.configRollouts, ...options });
  const all = [...(updates.data ?? []).map(viewOfRelease), ...(settings.data ?? []).map(viewOfConfig)];
  return (
    <>
      <ErrorNote error={updates.error ?? settings.error} />
      {rolloutsToShow(all, Date.now()).map((rollout) => (
        <RolloutCard key={rollout.id} rollout={rollout} />
      ))}
    </>
  );
}

type Action = 'promote' | 'cancel' | 'rollback';

const actions: Record<RolloutView['kind'], Partial<Record<Action, (id: string) => Promise<unknown>>>> = {
  release: { promote: fleet.promoteRelease, cancel: fleet.cancelRelease, rollback: fleet.rollBackRelease },
  settings: { promote: fleet.promoteConfig, cancel: fleet.cancelConfig },
};

function RolloutCard({ rollout }: { rollout: RolloutView }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState<Exclude<Action, 'promote'> | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['agents'] });
  const promote = useMutation({ mutationFn: () => actions[rollout.kind].promote?.(rollout.id) ?? Promise.resolve(), onSettled: refresh });
  const pause = useMutation({
    mutationFn: (): Promise<unknown> => (rollout.kind === 'release' ? fleet.pauseRelease : fleet.pauseConfig)(rollout.id, !rollout.paused),
    onSettled: refresh,
  });
  const steps = stepsOf(rollout);
  const isLive = rollout.status === 'running' || rollout.status === 'scheduled';
  const headingId = `rollout-${rollout.id}`;
  const isLast = rollout.current_tier >= steps.length;
  return (
    <Card
      className={s.rollout}
      headingId={headingId}
      title={
        <>
          <h2 className="h3" id={headingId}>
            {rollout.title}
          </h2>
          <Progress rollout={rollout} />
          <span className={s.since}>{since(rollout)}</span>
        </>
      }
      aside={
        <span className={s.buttons}>
          {isLive && (
            <Button onClick={() => pause.mutate()} disabled={pause.isPending}>
              {rollout.paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
              {rollout.paused ? t('Resume rollout') : t('Pause rollout')}
            </Button>
          )}
          {isLive && !rollout.paused && (
            <Button onClick={() => promote.mutate()} disabled={promote.isPending}>
              <SkipForward size={16} aria-hidden />
              {isLast ? t('Complete now') : t('Next step now')}
            </Button>
          )}
          {isLive && (
            <Button onClick={() => setAsking('cancel')}>
              <X size={16} aria-hidden />
              {t('Cancel rollout…')}
            </Button>
          )}
          {rollout.kind === 'release' && rollout.running > 0 && (
            <Button variant="danger" onClick={() => setAsking('rollback')}>
              <Undo2 size={16} aria-hidden />
              {t('Roll back {n}…', { n: rollout.running })}
            </Button>
          )}
        </span>
      }
    >
      <ErrorNote error={promote.error ?? pause.error} />
      {rollout.status === 'stopped' && rollout.reason && (
        <Note tone="danger" icon={TriangleAlert} className={s.note}>
          {serverText(rollout.reason)}
        </Note>
      )}
      <ol className={s.steps}>
        {steps.map((step, at) => (
          <Step key={step.percent} step={step} at={at + 1} rollout={rollout} />
        ))}
      </ol>
      {rollout.target && <TargetLine target={rollout.target} />}
      {isLive && <Gate rollout={rollout} />}
      <ConfirmDialog
        opened={asking !== null}
        title={asking === 'rollback' ? t('Roll back {n|# agent|# agents}?', { n: rollout.running }) : t('Cancel this rollout?')}
        confirm={asking === 'rollback' ? t('Roll back') : t('Cancel rollout')}
        danger
        onConfirm={async () => {
          if (asking) await actions[rollout.kind][asking]?.(rollout.id);
          toast(asking === 'rollback' ? t('Agents are asked to go back') : t('Rollout cancelled'));
          await refresh();
        }}
        onClose={() => setAsking(null)}
      >
        {asking === 'rollback'
          ? t('Each agent puts back the program that it ran before. The rollout ends.')
          : rollout.kind === 'release'
            ? t('No further agent is offered this version. Agents that have it keep it.')
            : t('Agents with the new settings go back to the settings before.')}
      </ConfirmDialog>
    </Card>
  );
}

/** “Only agents of Studio, on Linux, with the labels edge” */
function TargetLine({ target: { group_ids, platforms, labels } }: { target: NonNullable<RolloutView['target']> }) {
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups });
  const nameOf = (id: string): string => groups.data?.find((group) => group.id === id)?.name ?? t('a deleted group');
  const parts = [
    group_ids.length > 0 && t('of {groups}', { groups: group_ids.map(nameOf).join(', ') }),
    platforms.length > 0 && t('on {systems}', { systems: platforms.map((name) => platformNames[name]).join(', ') }),
    labels.length > 0 && t('with the labels {labels}', { labels: labels.join(', ') }),
  ].filter(Boolean);
  return <p className="t2">{t('Only agents {parts}', { parts: parts.join(', ') })}</p>;
}

function Progress({ rollout: { status, current_tier, tiers, paused } }: { rollout: RolloutView }) {
  if (paused)
    return (
      <StatusPill tone="warn" icon={Pause}>
        {t('Paused at step {at} of {all}', { at: current_tier, all: tiers.length })}
      </StatusPill>
    );
  if (status === 'stopped')
    return (
      <StatusPill tone="danger" icon={CircleX}>
        {t('Stopped at step {at} of {all}', { at: current_tier, all: tiers.length })}
      </StatusPill>
    );
  return current_tier === 0 ? (
    <StatusPill tone="idle" icon={Clock}>
      {t('Scheduled')}
    </StatusPill>
  ) : (
    <StatusPill tone="active" icon={RefreshCw}>
      {t('Step {at} of {all}', { at: current_tier, all: tiers.length })}
    </StatusPill>
  );
}

function since({ startedAt, startsAt, actor }: RolloutView): string {
  const when =
    startedAt === null ? t('starts {time}', { time: formatRecent(startsAt) }) : t('started {time}', { time: formatRecent(startedAt) });
  return actor === null ? when : `${when} ${t('by {actor}', { actor })}`;
}

function Step({ step: { percent, state, delayMinutes }, at, rollout }: { step: StepView; at: number; rollout: RolloutView }) {
  const counts = rollout.agents;
  const healthy =
    state === 'done' ? 100 : state === 'current' && counts && counts.covered > 0 ? (100 * counts.healthy) / counts.covered : 0;
  return (
    <li className={s.step} data-state={state}>
      <span className={s.stepHead}>
        <strong>{t('{at} · {percent} %', { at, percent })}</strong>
        {state === 'current' && counts && <span className="num">{t('{n} of {all}', { n: counts.healthy, all: counts.covered })}</span>}
      </span>
      <span className={s.bar} aria-hidden>
        <span style={{ inlineSize: `${healthy}%` }} />
      </span>
      {state === 'done' ? (
        <StatusText tone="ok" icon={CircleCheck}>
          {t('Healthy')}
        </StatusText>
      ) : state === 'current' ? (
        <CurrentStep rollout={rollout} />
      ) : (
        <StatusText tone="idle" icon={Clock}>
          {delayMinutes > 0 ? t('Waits {n|# minute|# minutes}', { n: delayMinutes }) : t('Waits for the health gate')}
        </StatusText>
      )}
    </li>
  );
}

function CurrentStep({ rollout: { agents, status } }: { rollout: RolloutView }) {
  if (status === 'stopped')
    return (
      <StatusText tone="danger" icon={CircleX}>
        {t('Stopped')}
      </StatusText>
    );
  if (agents && agents.pending > 0)
    return (
      <StatusText tone="active" icon={RefreshCw}>
        {t('{n|# agent|# agents} under way', { n: agents.pending })}
      </StatusText>
    );
  // Nobody has tried the new version yet.
  if (agents && agents.healthy === 0 && agents.away > 0)
    return (
      <StatusText tone="idle" icon={MoonStar}>
        {t('{n} away', { n: agents.away })}
      </StatusText>
    );
  return (
    <StatusText tone="ok" icon={CircleCheck}>
      {t('Healthy')}
    </StatusText>
  );
}

function Gate({ rollout: { agents, nextAt, healthMinutes, max_failed_percent, paused } }: { rollout: RolloutView }) {
  return (
    <div className={s.gate}>
      <strong>{t('Health gate')}</strong>
      {agents && (
        <>
          <StatusText tone="ok" icon={CircleCheck}>
            {t('{n} healthy', { n: agents.healthy })}
          </StatusText>
          <StatusText tone={agents.failed > 0 ? 'danger' : 'ok'} icon={agents.failed > 0 ? CircleX : CircleCheck}>
            {t('{n} failed', { n: agents.failed })}
          </StatusText>
          {agents.away > 0 && (
            <StatusText tone="idle" icon={MoonStar}>
              {t('{n} away', { n: agents.away })}
            </StatusText>
          )}
        </>
      )}
      {nextAt !== null && !paused && <span className="t2">{t('Next step {time} at the earliest', { time: formatRecent(nextAt) })}</span>}
      <span className={s.rule}>
        {healthMinutes !== null && `${t('An agent is healthy after {n|# minute|# minutes} of work.', { n: healthMinutes })} `}
        {max_failed_percent === 0
          ? t('If an agent fails, the rollout stops and its agents go back.')
          : t('If more than {n} % of the agents fail, the rollout stops and its agents go back.', { n: max_failed_percent })}
      </span>
    </div>
  );
}
