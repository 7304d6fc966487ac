import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Laptop, Plus, Search, Server } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import { Problem } from '../../api/problem.ts';
import type { Agent } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { timeAgo } from '../../format/dates.ts';
import { formatBytes, formatCount, formatDuration, roughDuration } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { AddAgentDialog } from './add-agent-dialog.tsx';
import { AddressesCard } from './addresses-card.tsx';
import { AgentCard } from './agent-card.tsx';
import { lagOf, readsOf, sectionsOf, stateOf, summaryOf, waitingChanges } from './agent-state.ts';
import s from './agents-tab.module.css';
import { GroupsCard } from './groups-card.tsx';
import { ReleasesCard } from './releases-card.tsx';
import { Rollouts } from './rollout-card.tsx';
import { TransfersCard } from './transfers-card.tsx';
import { VersionCell } from './update-state.tsx';

export function AgentsTab() {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <AgentList onAdd={() => setAdding(true)} />
      {/* Beside the list: the first agent that enrols replaces all of it, and the dialog still says how to start the agent. */}
      {adding && <AddAgentDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** Agents with their state; the selected one in detail. */
function AgentList({ onAdd }: { onAdd: () => void }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const [group, setGroup] = useState<string | null>(null);
  const [by, setBy] = useState<'group' | 'state'>('group');
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups, retry: false });
  const [selected, setSelected] = useState<string | null>(null);
  const list = useQuery({
    queryKey: ['agents', q, group],
    queryFn: () => fleet.agents({ limit: 200, ...(q !== '' && { q }), ...(group !== null && { group_id: group }) }),
    refetchInterval: ({ state }) => (state.error && !state.data ? false : 10_000),
    placeholderData: (before) => before,
    retry: false,
  });
  if (list.error instanceof Problem && list.error.status === 404)
    return (
      <EmptyState title={t('Agents are off')}>
        {rich(
          'An agent is a program on another machine that reports its files here. Set <code>SVC_AGENTS_ENABLED=true</code> and restart the service to use agents.',
          { code: (text) => <code className="mono">{text}</code> },
        )}
      </EmptyState>
    );
  if (list.error && !list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Loading what={t('agents')} />;
  const { items, total } = list.data;
  const now = Date.now();
  const add = (
    <Button onClick={onAdd}>
      <Plus size={16} aria-hidden />
      {t('Add an agent')}
    </Button>
  );
  if (items.length === 0 && q === '' && group === null)
    return (
      <EmptyState title={t('No agents yet')} actions={add}>
        {t('This server scans its own folders; add an agent to scan another machine.')}
      </EmptyState>
    );
  const hasGroups = (groups.data?.length ?? 0) > 1;
  const { agents, sectionOf } = sectionsOf(items, by, groups.data ?? [], now);
  const chosen = agents.find(({ id }) => id === selected) ?? agents[0];
  const columns: Column<Agent>[] = [
    {
      head: t('Name'),
      cell: (agent) => (
        <button type="button" data-main className={s.name} aria-pressed={agent.id === chosen?.id} onClick={() => setSelected(agent.id)}>
          {agent.platform === 'macos' ? <Laptop size={16} aria-hidden /> : <Server size={16} aria-hidden />}
          <bdi>{agent.name}</bdi>
        </button>
      ),
    },
    {
      head: t('State'),
      cell: (agent) => {
        const { label, tone, icon } = stateOf(agent, now);
        return (
          <StatusText tone={tone} icon={icon}>
            {label}
          </StatusText>
        );
      },
    },
    {
      head: t('Watches'),
      cell: (agent) => <span className="t2 anywhere">{watchedNames(agent)}</span>,
      wideOnly: true,
    },
    {
      head: t('Lag'),
      numeric: true,
      className: 'nw',
      cell: (agent) => <LagCell agent={agent} now={now} />,
      title: (agent) => t('{n|# change|# changes} not sent yet, last seen {time}', { n: waitingChanges(agent), time: lastSeen(agent) }),
    },
    { head: t('Version'), cell: (agent) => <VersionCell agent={agent} />, wideOnly: true },
    {
      head: t('Reads'),
      numeric: true,
      className: 'nw',
      cell: (agent) => (stateOf(agent, now).name === 'offline' ? '–' : speedText(readsOf(agent))),
      title: () => t('Bytes read for checksums per second, before the last report'),
      wideOnly: true,
    },
  ];
  return (
    <div className="col g4">
      <div className={s.summary}>
        <p className="t2" role="status">
          {summaryOf(items, total, now)}
        </p>
        {add}
      </div>
      <Rollouts />
      <div className={s.columns}>
        <Card
          headingId="agents"
          title={
            <>
              <h2 className="h3" id="agents">
                {t('Agents')}
              </h2>
              <span className="muted">{formatCount(total)}</span>
            </>
          }
          aside={
            <span className={s.tools}>
              <TextInput
                className={s.find}
                aria-label={t('Find an agent')}
                placeholder={t('Find an agent')}
                leftSection={<Search size={14} aria-hidden />}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              {hasGroups && (
                <Segmented
                  label={t('Order of the agents')}
                  value={by}
                  options={[
                    { value: 'group', label: t('By group') },
                    { value: 'state', label: t('By state') },
                  ]}
                  onChange={setBy}
                />
              )}
              {hasGroups && (
                <Select
                  className={s.filter}
                  aria-label={t('Agents of a group')}
                  placeholder={t('All groups')}
                  clearable
                  data={groups.data?.filter(({ is_system }) => !is_system).map(({ id, name }) => ({ value: id, label: name })) ?? []}
                  value={group}
                  onChange={setGroup}
                />
              )}
            </span>
          }
        >
          {items.length === 0 ? (
            <p className="t2">{q === '' ? t('No agent is in this group.') : t('No agent has “{q}” in its name.', { q })}</p>
          ) : (
            <Table
              rows={agents}
              keyOf={({ id }) => id}
              columns={columns}
              sectionOf={hasGroups || by === 'state' ? sectionOf : undefined}
              isCurrent={({ id }) => id === chosen?.id}
            />
          )}
        </Card>
        {chosen && <AgentCard key={chosen.id} agent={chosen} />}
      </div>
      <GroupsCard />
      <ReleasesCard />
      <TransfersCard />
      <AddressesCard agents={items} />
    </div>
  );
}

function LagCell({ agent, now }: { agent: Agent; now: number }) {
  const { name } = stateOf(agent, now);
  const lag = lagOf(agent, now);
  if (name === 'asleep') return t('away');
  if (lag === null || name === 'revoked' || name === 'pending' || name === 'waiting') return '–';
  return name === 'offline' || name === 'behind' ? <strong>{roughDuration(lag)}</strong> : formatDuration(lag);
}

function speedText(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? '–' : t('{size}/s', { size: formatBytes(bytesPerSecond) });
}

const lastSeen = ({ last_seen_at }: Agent): string => (last_seen_at === null ? t('never') : timeAgo(last_seen_at));

/** The last parts of the folders, which say enough beside the name of the machine. */
function watchedNames({ health }: Agent): string {
  const roots = (health?.['roots'] ?? []) as { path: string }[];
  return roots.map(({ path }) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path).join(', ');
}
