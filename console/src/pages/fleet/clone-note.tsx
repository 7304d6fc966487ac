import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { Agent } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';

type Run = Agent['clone_runs'][number];

/** Two machines use one identity: who they are, and the choice between them. */
export function CloneNote({ agent }: { agent: Agent }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Run | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['agents'] });
  const release = useMutation({ mutationFn: () => fleet.resolveClone(agent.id, null), onSettled: refresh });
  const nameOf = ({ hostname, address, run_id }: Run): string => hostname ?? address ?? run_id;
  return (
    <Note tone="danger" icon={TriangleAlert}>
      <p>
        {t(
          'Two machines use the identity of this agent, usually because a disk was copied. Changes of both are held back until you choose.',
        )}
      </p>
      <ul className={s.machines}>
        {agent.clone_runs.map((run) => (
          <li key={run.run_id}>
            <span>
              <bdi>{nameOf(run)}</bdi>
              <span className="t2">
                {' '}
                {t('{address}, run {run}, seen {time}', {
                  address: run.address ?? '–',
                  run: run.run_id.slice(0, 8),
                  time: timeAgo(run.seen_at),
                })}
              </span>
            </span>
            {agent.clone_kept_run === run.run_id ? (
              <span className="t2">{t('gets a new key when it reports next')}</span>
            ) : (
              <Button
                size="s"
                onClick={() => setChosen(run)}
                aria-label={t('Keep this machine: {name}, run {run}', { name: nameOf(run), run: run.run_id.slice(0, 8) })}
              >
                {t('Keep this machine…')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button size="s" onClick={() => release.mutate()} disabled={release.isPending}>
        {t('Only one is left')}
      </Button>
      <ErrorNote error={release.error} />
      <ConfirmDialog
        opened={chosen !== null}
        title={t('Keep “{name}”?', { name: chosen === null ? '' : nameOf(chosen) })}
        confirm={t('Keep this machine')}
        onConfirm={async () => {
          if (chosen) await fleet.resolveClone(agent.id, chosen.run_id);
          toast(t('The machine gets a new key'));
          await refresh();
        }}
        onClose={() => setChosen(null)}
      >
        {t('It gets a new key and reports its files again. The other machine is refused until it is enrolled as an agent of its own.')}
      </ConfirmDialog>
    </Note>
  );
}
