import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { Agent } from '../../api/types.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note, StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatDateTime, timeAgo } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';
import { AgentCommands } from './agent-commands.tsx';
import { AgentConfig } from './agent-config.tsx';
import { AgentGroupsDialog } from './agent-groups-dialog.tsx';
import { AgentLabelsDialog } from './agent-labels-dialog.tsx';
import { stateOf, waitingChanges } from './agent-state.ts';
import s from './agents-tab.module.css';
import { CloneNote } from './clone-note.tsx';
import { LagChart } from './lag-chart.tsx';
import { UpdateBadge } from './update-state.tsx';

interface RootHealth {
  path: string;
  last_scan_at: string | null;
  last_error: string | null;
}

/** One agent: what it is, what it watches, what went wrong, and what can be done about it. */
export function AgentCard({ agent }: { agent: Agent }) {
  const client = useQueryClient();
  const details = useQuery({ queryKey: ['agents', 'one', agent.id], queryFn: () => fleet.agent(agent.id), refetchInterval: 10_000 });
  const refused = useQuery({ queryKey: ['agents', 'quarantine', agent.id], queryFn: () => fleet.quarantine(agent.id) });
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups });
  const [asking, setAsking] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [labelling, setLabelling] = useState(false);
  const [showsConfig, setShowsConfig] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ['agents'] });
  const approve = useMutation({
    mutationFn: () => fleet.approveAgent(agent.id),
    onSuccess: () => {
      toast(t('Agent approved'));
      void refresh();
    },
  });
  const update = useMutation({
    mutationFn: () => fleet.updateAgent(agent.id),
    onSuccess: () => toast(t('The agent is asked to update itself')),
    onSettled: refresh,
  });
  const groupNames = groups.data?.filter(({ id }) => agent.config_group_ids.includes(id)).map(({ name }) => name) ?? [];
  const { label, tone, icon } = stateOf(agent, Date.now());
  const roots = (agent.health?.['roots'] ?? []) as RootHealth[];
  const machine = agent.capabilities ?? {};
  const ocr = machine['ocr'] as { available: boolean; reason: string | null } | undefined;
  const isRevoked = agent.status === 'revoked';
  return (
    <Card
      headingId="agent"
      title={
        <>
          <h2 className="h3" id="agent">
            <bdi>{agent.name}</bdi>
          </h2>
          <StatusPill tone={tone} icon={icon}>
            {label}
          </StatusPill>
        </>
      }
    >
      <dl className={s.facts}>
        <dt>{t('Version')}</dt>
        <dd>
          {agent.agent_version ?? t('not reported yet')} <UpdateBadge agent={agent} />
          {agent.status === 'active' && agent.capabilities?.['self_update'] === true && (
            <>
              {' · '}
              <LinkButton onClick={() => update.mutate()} disabled={update.isPending}>
                {t('Update now')}
              </LinkButton>
            </>
          )}
          {agent.update_hold !== null && <div className="t2">{serverText(agent.update_hold)}</div>}
        </dd>
        <dt>{t('Machine')}</dt>
        <dd>
          {agent.hostname}
          {machine['os'] ? ` · ${String(machine['os'])}` : ''}{' '}
          {machine['cores'] ? <span className="nw">· {t('{n|# core|# cores}', { n: Number(machine['cores']) })}</span> : ''}{' '}
          {machine['memory_bytes'] ? <span className="nw">· {formatBytes(Number(machine['memory_bytes']))}</span> : ''}
        </dd>
        <dt>{t('Address')}</dt>
        <dd>
          {agent.last_address ?? t('never connected')}
          {agent.last_seen_at !== null && ` · ${t('seen {time}', { time: timeAgo(agent.last_seen_at) })}`}
        </dd>
        <dt>{t('Certificate')}</dt>
        <dd>
          {agent.cert_not_after === null
            ? agent.cert_fingerprint === null
              ? t('none yet')
              : t('external')
            : t('until {cert_not_after}', { cert_not_after: formatDateTime(agent.cert_not_after) })}
        </dd>
        <dt>{t('Groups')}</dt>
        <dd>
          {groupNames.join(', ') || t('all agents only')}
          {!isRevoked && (
            <>
              {' · '}
              <LinkButton onClick={() => setChoosing(true)}>{t('Change groups')}</LinkButton>
            </>
          )}
        </dd>
        <dt>{t('Labels')}</dt>
        <dd>
          {agent.labels.join(', ') || t('none yet')}
          {!isRevoked && (
            <>
              {' · '}
              <LinkButton onClick={() => setLabelling(true)}>{t('Change labels')}</LinkButton>
            </>
          )}
        </dd>
        <dt>{t('Libraries')}</dt>
        <dd>{details.data?.libraries.map(({ name }) => name).join(', ') || t('none yet')}</dd>
        <dt>{t('Files')}</dt>
        <dd>
          {t('{health} known, {waitingChanges|# change|# changes} waiting', {
            health: formatCount(Number(agent.health?.['index_items'] ?? 0)),
            waitingChanges: waitingChanges(agent),
          })}
        </dd>
        <dt>{t('Last changes')}</dt>
        <dd>
          {agent.last_batch_at === null ? t('none yet') : timeAgo(agent.last_batch_at)}
          {agent.last_reconcile_at !== null && ` · ${t('compared {time}', { time: timeAgo(agent.last_reconcile_at) })}`}
        </dd>
      </dl>
      {agent.clone_held_at !== null && !isRevoked && <CloneNote agent={agent} />}
      {agent.status === 'active' && <LagChart agentId={agent.id} />}
      {roots
        .filter(({ last_error }) => last_error !== null)
        .map(({ path, last_error }) => (
          <Note key={path} tone="warn" icon={TriangleAlert}>
            {t('The last scan of {path} stopped. {last_error}', { path, last_error })}
          </Note>
        ))}
      {ocr?.available === false && (
        <Note tone="warn" icon={TriangleAlert}>
          {t('The settings ask for text in pictures, but it cannot be recognised on this machine. {reason}', {
            reason: serverText(ocr.reason ?? ''),
          })}
        </Note>
      )}
      {(refused.data?.length ?? 0) > 0 && (
        <Note tone="warn" icon={TriangleAlert}>
          {t('Some changes could not be applied:')}
          <ul className={s.refused}>
            {refused.data?.map(({ seq_no, reason }) => (
              <li key={seq_no}>{serverText(reason)}</li>
            ))}
          </ul>
        </Note>
      )}
      {agent.status === 'active' && (
        <AgentCommands agentId={agent.id} suspended={agent.health?.['suspended'] === true} capabilities={machine} />
      )}
      {!isRevoked && (
        <details className={s.section} onToggle={(event) => setShowsConfig(event.currentTarget.open)}>
          <summary>{t('Settings in use')}</summary>
          {showsConfig && <AgentConfig agentId={agent.id} />}
        </details>
      )}
      <ErrorNote error={approve.error ?? update.error} />
      <div className={s.buttons}>
        {!agent.approved && !isRevoked && (
          <Button variant="primary" onClick={() => approve.mutate()} disabled={approve.isPending}>
            <Check size={16} aria-hidden />
            {t('Approve')}
          </Button>
        )}
        <Button variant="danger" onClick={() => setAsking(true)}>
          {isRevoked ? t('Remove…') : t('Revoke…')}
        </Button>
      </div>
      {labelling && <AgentLabelsDialog agent={agent} onClose={() => setLabelling(false)} />}
      {choosing && <AgentGroupsDialog agent={agent} onClose={() => setChoosing(false)} />}
      <ConfirmDialog
        opened={asking}
        title={isRevoked ? t('Remove “{name}”?', { name: agent.name }) : t('Revoke “{name}”?', { name: agent.name })}
        confirm={isRevoked ? t('Remove agent') : t('Revoke agent')}
        danger
        onConfirm={async () => {
          if (isRevoked) await fleet.purgeAgent(agent.id);
          else await fleet.revokeAgent(agent.id);
          toast(isRevoked ? t('Agent removed') : t('Agent revoked'));
          await refresh();
        }}
        onClose={() => setAsking(false)}
      >
        {isRevoked
          ? t('Its record is removed. Delete its libraries first.')
          : t('The machine can no longer report files. What it reported stays in the catalog.')}
      </ConfirmDialog>
    </Card>
  );
}
