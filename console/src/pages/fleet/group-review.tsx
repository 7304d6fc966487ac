import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupPolicy, NewRollout } from '../../api/fleet.ts';
import * as fleet from '../../api/fleet.ts';
import type { ConfigGroup } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import s from './group-dialog.module.css';
import { PolicyDiff } from './policy-diff.tsx';
import { labelOf } from './policy-values.ts';
import { defaultRollout, RolloutFields } from './rollout-fields.tsx';

interface GroupReviewProps {
  group: ConfigGroup;
  policy: GroupPolicy;
  /** The change concerns more than the settings, so it can be saved although they stay. */
  otherChanges?: boolean;
  save: (options: { note?: string; rollout?: NewRollout }) => Promise<unknown>;
  onSaved: () => unknown;
  onBack: () => void;
}

/** What a change would do, for which agents, and whether it happens at once or in steps. Nothing is changed before it is confirmed. */
export function GroupReview({ group, policy, otherChanges = false, save, onSaved, onBack }: GroupReviewProps) {
  const dryRun = useQuery({
    queryKey: ['agents', 'preview', group.id, policy],
    queryFn: () => fleet.previewGroup(group.id, policy),
    staleTime: 0,
    retry: false,
  });
  const [how, setHow] = useState<'now' | 'steps'>('steps');
  const [rollout, setRollout] = useState(defaultRollout);
  const [note, setNote] = useState('');
  const changes = dryRun.data?.changes ?? [];
  const inSteps = how === 'steps' && changes.length > 0;
  return (
    <Form
      submit={inSteps ? t('Start rollout') : t('Apply now')}
      ready={dryRun.isSuccess && (changes.length > 0 || otherChanges)}
      save={() => save({ ...(note.trim() && { note: note.trim() }), ...(inSteps && { rollout }) })}
      onSaved={onSaved}
      aside={
        <Button size="l" onClick={onBack}>
          {t('Back')}
        </Button>
      }
    >
      {(errorAt) => (
        <>
          <ErrorNote error={dryRun.error} />
          {dryRun.data ? (
            <>
              <PolicyDiff changes={changes} />
              {changes.length > 0 && <Affected {...dryRun.data} />}
            </>
          ) : (
            !dryRun.error && <Loading what={t('the effect')} />
          )}
          {changes.length > 0 && (
            <>
              <Segmented
                label={t('When')}
                value={how}
                options={[
                  { value: 'steps', label: t('In steps') },
                  { value: 'now', label: t('All at once') },
                ]}
                onChange={setHow}
              />
              {inSteps && <RolloutFields rollout={rollout} onChange={setRollout} errorAt={errorAt} />}
              <TextInput label={t('Why')} maxLength={1024} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
            </>
          )}
        </>
      )}
    </Form>
  );
}

const maxNamed = 20;

function Affected({ members, affected_count, affected }: Awaited<ReturnType<typeof fleet.previewGroup>>) {
  return (
    <section aria-label={t('Agents')} className="col g1">
      <p>
        {affected_count === 0
          ? t('No agent changes: other groups decide these settings, or the group has no agents.')
          : t('The settings of {n} of {members|# agent|# agents} change.', { n: affected_count, members })}
      </p>
      <ul className={s.affected}>
        {affected.slice(0, maxNamed).map(({ agent_id, name, keys }) => (
          <li key={agent_id}>
            <bdi className="b">{name}</bdi> <span className="t2">{keys.map(labelOf).join(', ')}</span>
          </li>
        ))}
        {affected_count > maxNamed && <li className="t2">{t('and {n} more', { n: affected_count - maxNamed })}</li>}
      </ul>
    </section>
  );
}
