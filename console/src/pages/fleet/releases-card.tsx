import { MultiSelect, NumberInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Hourglass, Rocket } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { AgentRelease, ReleaseRollout } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FormDialog } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { formatDate } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';
import { LabelsInput } from './labels-input.tsx';
import { defaultRollout, RolloutFields } from './rollout-fields.tsx';
import { platformNames } from './rollout-view.ts';

const platformChoices = Object.entries(platformNames).map(([value, label]) => ({ value, label }));
type Target = ReleaseRollout['target'];

/** Versions of the agent program, with the machines that each is for. */
export function ReleasesCard() {
  const client = useQueryClient();
  const releases = useQuery({ queryKey: ['agents', 'releases'], queryFn: fleet.releases, refetchInterval: 15_000 });
  const [opened, setOpened] = useState<{ what: 'roll out' | 'withdraw'; release: AgentRelease } | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['agents'] });
  const columns: Column<AgentRelease>[] = [
    { head: t('Version'), cell: ({ version }) => <strong>{version}</strong> },
    { head: t('State'), cell: (release) => <ReleaseState release={release} /> },
    { head: t('Agents'), numeric: true, cell: ({ confirmed_count }) => formatCount(confirmed_count), wideOnly: true },
    { head: t('Programs'), cell: (release) => <Programs release={release} />, wideOnly: true },
    { head: t('Published'), className: 'nw', cell: ({ created_at }) => formatDate(created_at), wideOnly: true },
  ];
  return (
    <Card headingId="releases" title={t('Releases')}>
      <ErrorNote error={releases.error} />
      {!releases.data && !releases.error && <Loading what={t('releases')} />}
      {releases.data?.length === 0 && (
        <p className="t2">
          {rich('No release yet. Sign one with <code>catalog agent-release sign</code> and upload it, and agents update themselves.', {
            code: (text) => <code className="mono">{text}</code>,
          })}
        </p>
      )}
      {(releases.data?.length ?? 0) > 0 && (
        <Table
          rows={releases.data ?? []}
          keyOf={({ version }) => version}
          columns={columns}
          actions={(release) =>
            release.withdrawn_at === null && (
              <>
                <Button
                  data-main
                  size="s"
                  onClick={() => setOpened({ what: 'roll out', release })}
                  aria-label={t('Roll out {version}', { version: release.version })}
                >
                  <Rocket size={14} aria-hidden />
                  {t('Roll out…')}
                </Button>
                <Button
                  size="s"
                  variant="danger"
                  onClick={() => setOpened({ what: 'withdraw', release })}
                  aria-label={t('Withdraw {version}', { version: release.version })}
                >
                  {t('Withdraw…')}
                </Button>
              </>
            )
          }
        />
      )}
      {opened?.what === 'roll out' && <RollOutDialog version={opened.release.version} onClose={() => setOpened(null)} onSaved={refresh} />}
      <ConfirmDialog
        opened={opened?.what === 'withdraw'}
        title={t('Withdraw {version}?', { version: opened?.release.version })}
        confirm={t('Withdraw release')}
        danger
        onConfirm={async () => {
          if (opened) await fleet.withdrawRelease(opened.release.version);
          toast(t('Release withdrawn'));
          await refresh();
        }}
        onClose={() => setOpened(null)}
      >
        {t('No agent is offered it any more, and a rollout of it stops. Agents that run it keep it until you roll them back.')}
      </ConfirmDialog>
    </Card>
  );
}

function ReleaseState({ release: { withdrawn_at, ready, artifacts, uploaded } }: { release: AgentRelease }) {
  if (withdrawn_at !== null)
    return (
      <StatusText tone="idle" icon={CircleX}>
        {t('Withdrawn')}
      </StatusText>
    );
  return ready ? (
    <StatusText tone="ok" icon={CircleCheck}>
      {t('Ready')}
    </StatusText>
  ) : (
    <StatusText tone="warn" icon={Hourglass}>
      {t('{n} of {all} uploaded', { n: uploaded.length, all: artifacts.length })}
    </StatusText>
  );
}

function Programs({ release: { artifacts, uploaded, withdrawn_at } }: { release: AgentRelease }) {
  return (
    <ul className={s.programs}>
      {artifacts.map(({ platform, arch, size, url }) => (
        <li key={url} className={withdrawn_at !== null || uploaded.includes(url) ? undefined : 'muted'} title={formatBytes(size)}>
          {platformNames[platform] ?? platform} {arch}
          {withdrawn_at === null && !uploaded.includes(url) ? ` (${t('missing')})` : ''}
        </li>
      ))}
    </ul>
  );
}

function RollOutDialog({ version, onClose, onSaved }: { version: string; onClose: () => void; onSaved: () => unknown }) {
  const [rollout, setRollout] = useState(defaultRollout);
  const [minutes, setMinutes] = useState(15);
  const [target, setTarget] = useState<Target>({ platforms: [], labels: [], group_ids: [] });
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups });
  const choices = groups.data?.filter(({ is_system }) => !is_system).map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <FormDialog
      title={t('Roll out {version}', { version })}
      size={560}
      submit={t('Start rollout')}
      ready
      save={() => fleet.rollOutRelease(version, { ...rollout, health_minutes: minutes, target })}
      onSaved={() => {
        toast(t('Rollout started'));
        return onSaved();
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <>
          <MultiSelect
            label={t('Only agents of the groups')}
            placeholder={target.group_ids.length === 0 ? t('All groups') : undefined}
            data={choices}
            value={target.group_ids}
            error={errorAt('group_ids')}
            onChange={(group_ids) => setTarget({ ...target, group_ids })}
          />
          <MultiSelect
            label={t('Only agents on')}
            placeholder={target.platforms.length === 0 ? t('All systems') : undefined}
            data={platformChoices}
            value={target.platforms}
            onChange={(chosen) => setTarget({ ...target, platforms: chosen as Target['platforms'] })}
          />
          <LabelsInput
            label={t('Only agents with the labels')}
            description={t('An agent needs all of them. Steps count the agents that fit.')}
            value={target.labels}
            error={errorAt('labels')}
            onChange={(labels) => setTarget({ ...target, labels })}
          />
          <RolloutFields rollout={rollout} onChange={setRollout} errorAt={errorAt} />
          <NumberInput
            label={t('Health window')}
            description={t('An agent is healthy when it has scanned and sent its changes for this long without new errors.')}
            suffix={` ${t('minutes')}`}
            min={1}
            max={1440}
            allowDecimal={false}
            value={minutes}
            error={errorAt('health_minutes')}
            onChange={(value) => setMinutes(Number(value))}
          />
        </>
      )}
    </FormDialog>
  );
}
