import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Bell, CircleCheck, CircleSlash } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import type { AlertRule } from '../../api/types.ts';
import { LinkButton } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { orList } from '../../format/lists.ts';
import { t } from '../../language/text.ts';
import { listProps } from '../../shell/list-keys.ts';
import s from './alerts-page.module.css';
import { EVENT_LABELS, ruleName } from './labels.ts';

const SHOWN = 8;

export function RulesCard({ rules, error, onEdit }: { rules: AlertRule[] | undefined; error: unknown; onEdit: (rule: AlertRule) => void }) {
  const [all, setAll] = useState(false);
  const shown = all ? rules : rules?.slice(0, SHOWN);
  return (
    <Card
      headingId="alerts-rules"
      title={
        <>
          <h2 className="h3" id="alerts-rules">
            {t('Rules')}
          </h2>
          {rules && <span className="muted">{rules.length}</span>}
        </>
      }
      aside={rules && rules.length > SHOWN && <LinkButton onClick={() => setAll(!all)}>{all ? t('Show fewer') : t('Show all')}</LinkButton>}
    >
      <ErrorNote error={error} />
      {!rules && !error && <Loading what={t('rules')} />}
      <ul className={s.list} {...listProps}>
        {shown?.map((rule) => (
          <RuleRow key={rule.id} rule={rule} onEdit={() => onEdit(rule)} />
        ))}
      </ul>
    </Card>
  );
}

function RuleRow({ rule, onEdit }: { rule: AlertRule; onEdit: () => void }) {
  const client = useQueryClient();
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => api.updateRule(rule.id, { enabled }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alert-rules'] }),
  });
  const firing = rule.firing > 0;
  return (
    <li className={s.line}>
      <span>
        <button type="button" className={s.name} onClick={onEdit} data-main>
          {ruleName(rule.name)}
        </button>
        <span className={`${s.small} cut`} style={{ display: 'block' }}>
          {t('When {events}', { events: orList(rule.event_types.map((type) => EVENT_LABELS[type] ?? type)) })}
          {rule.enabled && rule.channel_ids.length === 0 && ` · ${t('no channel')}`}
        </span>
        <ErrorNote error={toggle.error} />
      </span>
      <StatusText tone={firing ? 'danger' : rule.enabled ? 'ok' : 'idle'} icon={firing ? Bell : rule.enabled ? CircleCheck : CircleSlash}>
        {firing ? t('Firing') : rule.enabled ? t('Quiet') : t('Off')}
      </StatusText>
      <Switch
        aria-label={t('{name} is on', { name: ruleName(rule.name) })}
        checked={rule.enabled}
        disabled={toggle.isPending}
        onChange={(event) => toggle.mutate(event.currentTarget.checked)}
      />
    </li>
  );
}
