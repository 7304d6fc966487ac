import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Hourglass } from 'lucide-react';
import * as fleet from '../../api/fleet.ts';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';
import { labelOf, policyText } from './policy-values.ts';

/** The settings of an agent after all its groups are merged, and which group decided each. */
export function AgentConfig({ agentId }: { agentId: string }) {
  const config = useQuery({
    queryKey: ['agents', 'effective', agentId],
    queryFn: () => fleet.effectiveConfig(agentId),
    refetchInterval: 15_000,
  });
  if (!config.data) return config.error ? <ErrorNote error={config.error} /> : <Loading what={t('settings')} />;
  const { document, provenance, groups, generation, confirmed_generation } = config.data;
  const inUse = confirmed_generation !== null && confirmed_generation >= generation;
  return (
    <div className="col g2">
      <StatusText tone={inUse ? 'ok' : 'active'} icon={inUse ? CircleCheck : Hourglass}>
        {inUse ? t('The agent uses these settings') : t('The agent has not taken these settings yet')}
      </StatusText>
      <dl className={s.config}>
        {Object.entries(document).map(([key, value]) => (
          <div key={key}>
            <dt>{labelOf(key)}</dt>
            <dd>
              <span className="anywhere">{policyText(key, value) ?? t('not set')}</span>{' '}
              <span className="muted">{provenance[key] ? t('from {group}', { group: provenance[key].name }) : t('default')}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="t2">
        {t('Groups in the order in which they apply: {groups}', {
          groups: groups
            .map(({ name, version_used, via_rollout, because, matched }) => {
              const shown = via_rollout
                ? t('{name} (version {version}, by a rollout)', { name, version: version_used })
                : t('{name} (version {version})', { name, version: version_used });
              return because === 'target' ? t('{group} by {matched}', { group: shown, matched: matched.join(', ') }) : shown;
            })
            .join(', '),
        })}
      </p>
    </div>
  );
}
