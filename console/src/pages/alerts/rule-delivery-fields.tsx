import { MultiSelect, NativeSelect, NumberInput, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as api from '../../api/alerts.ts';
import { Segmented } from '../../components/segmented.tsx';
import { t } from '../../language/text.ts';
import type { RuleFieldsProps } from './rule-when-fields.tsx';

/** Who is told, when and how often. */
export function DeliveryFields({ fields, set, errorAt, ruleId }: RuleFieldsProps & { ruleId: string | null }) {
  const channels = useQuery({ queryKey: ['alert-channels'], queryFn: api.alertChannels });
  const rules = useQuery({ queryKey: ['alert-rules'], queryFn: api.alertRules });
  const remind = fields.repeat_interval_s != null;
  return (
    <>
      <div className="row g4 wrap">
        <div className="col g2">
          <span className="m5">{t('Severity')}</span>
          <Segmented
            label={t('Severity')}
            value={fields.severity ?? 'warning'}
            onChange={(severity) => set({ severity })}
            options={[
              { value: 'info', label: t('Info') },
              { value: 'warning', label: t('Warning') },
              { value: 'critical', label: t('Critical') },
            ]}
          />
        </div>
        <NativeSelect
          label={t('Send')}
          value={fields.digest_window ?? ''}
          onChange={(event) => set({ digest_window: (event.currentTarget.value || null) as 'hourly' | 'daily' | null })}
          data={[
            { value: '', label: t('at once') },
            { value: 'hourly', label: t('once an hour') },
            { value: 'daily', label: t('once a day') },
          ]}
        />
      </div>
      <MultiSelect
        label={t('Send to')}
        placeholder={channels.data?.length === 0 ? t('Add a channel first') : undefined}
        data={(channels.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={fields.channel_ids ?? []}
        onChange={(channel_ids) => set({ channel_ids })}
        error={errorAt('channel_ids')}
      />
      <Switch
        label={t('Send a message when it is resolved')}
        checked={fields.notify_resolved ?? true}
        onChange={(event) => set({ notify_resolved: event.currentTarget.checked })}
      />
      <Switch
        label={t('Remind every hour while it fires')}
        checked={remind}
        onChange={(event) => set({ repeat_interval_s: event.currentTarget.checked ? 3600 : null })}
      />
      <EscalationFields fields={fields} set={set} errorAt={errorAt} channels={channels.data ?? []} />
      <MultiSelect
        label={t('Not while one of these rules fires')}
        data={(rules.data ?? []).filter(({ id }) => id !== ruleId).map(({ id, name }) => ({ value: id, label: name }))}
        value={fields.inhibited_by ?? []}
        onChange={(inhibited_by) => set({ inhibited_by })}
        error={errorAt('inhibited_by')}
      />
    </>
  );
}

const DEFAULT_ESCALATION_S = 1800;

/** The time applies from the first channel that is chosen. */
function EscalationFields({ fields, set, errorAt, channels }: RuleFieldsProps & { channels: { id: string; name: string }[] }) {
  return (
    <div className="row g2 wrap">
      <MultiSelect
        className="grow"
        label={t('If nobody acknowledges it, also send to')}
        data={channels.map(({ id, name }) => ({ value: id, label: name }))}
        value={fields.escalate_channel_ids ?? []}
        onChange={(escalate_channel_ids) =>
          set({
            escalate_channel_ids,
            escalate_after_s: escalate_channel_ids.length === 0 ? null : (fields.escalate_after_s ?? DEFAULT_ESCALATION_S),
          })
        }
        error={errorAt('escalate_channel_ids')}
      />
      {fields.escalate_after_s != null && (
        <NumberInput
          label={t('After (minutes)')}
          w={128}
          min={1}
          max={10_080}
          // Not controlled, so that the field can be empty while another time is typed.
          defaultValue={fields.escalate_after_s / 60}
          placeholder={String(DEFAULT_ESCALATION_S / 60)}
          onChange={(value) => set({ escalate_after_s: Number(value) * 60 || DEFAULT_ESCALATION_S })}
          error={errorAt('escalate_after_s')}
        />
      )}
    </div>
  );
}
