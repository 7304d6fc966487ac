import { NumberInput, Textarea, TextInput } from '@mantine/core';
import type { GroupPolicy } from '../../api/fleet.ts';
import type { ErrorAt } from '../../components/form.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { t } from '../../language/text.ts';
import { PresetPicker } from '../libraries/preset-picker.tsx';
import s from './group-dialog.module.css';
import { givenKeys, type PolicyKey, policyLabels } from './policy-values.ts';

interface PolicyFieldsProps {
  policy: GroupPolicy;
  onChange: (policy: GroupPolicy) => void;
  errorAt: ErrorAt;
}

type NumberKey = {
  [Key in PolicyKey]-?: NonNullable<GroupPolicy[Key]> extends number ? Key : never;
}[PolicyKey];
type SwitchKey = {
  [Key in PolicyKey]-?: NonNullable<GroupPolicy[Key]> extends boolean ? Key : never;
}[PolicyKey];
const mega = 1_000_000;
const numberFields: { key: NumberKey; factor: number; suffix: string }[] = [
  { key: 'scan_interval_seconds', factor: 60, suffix: t('minutes') },
  { key: 'content_hash_max_bytes', factor: mega, suffix: 'MB' },
  { key: 'read_bytes_per_second', factor: mega, suffix: 'MB/s' },
  { key: 'upload_bytes_per_second', factor: mega, suffix: 'MB/s' },
  { key: 'cpu_max_percent', factor: 1, suffix: '%' },
  { key: 'extract_max_bytes', factor: mega, suffix: 'MB' },
  { key: 'offline_grace_seconds', factor: 3600, suffix: t('hours') },
];
const switchKeys: SwitchKey[] = [
  'watch_mode',
  'extract_enabled',
  'extract_body_text',
  'extract_ocr',
  'record_permissions',
  'pause_on_battery',
  'pause_on_metered',
  'local_access_enabled',
  'web_ui_enabled',
  'thumbs_enabled',
  'auto_update',
];
const switchOptions = [
  { value: '', label: t('not set') },
  { value: 'true', label: t('on') },
  { value: 'false', label: t('off') },
];
const mono = { input: { fontFamily: 'var(--mono)', fontSize: 12.5 } };
const linesOf = (text: string): string[] | undefined => (text === '' ? undefined : text.split('\n'));
const withoutEmpty = (lines: string[] | undefined): string[] | undefined => {
  const kept = lines?.map((line) => line.trim()).filter(Boolean) ?? [];
  return kept.length === 0 ? undefined : kept;
};

/** The settings of a group. An empty field is left to the other groups of an agent. */
export function PolicyFields({ policy, onChange, errorAt }: PolicyFieldsProps) {
  const set = (key: PolicyKey, value: unknown) => onChange(givenKeys({ ...policy, [key]: value }));
  return (
    <>
      <div className={s.numbers}>
        {numberFields.map(({ key, factor, suffix }) => (
          <NumberInput
            key={key}
            label={policyLabels[key]}
            placeholder={t('not set')}
            min={0}
            decimalScale={3}
            allowNegative={false}
            suffix={` ${suffix}`}
            value={policy[key] === undefined ? '' : policy[key] / factor}
            error={errorAt(key)}
            onChange={(value) => set(key, value === '' ? undefined : Math.round(Number(value) * factor))}
          />
        ))}
      </div>
      {switchKeys.map((key) => (
        <div key={key} className={s.switch}>
          <span>{policyLabels[key]}</span>
          <Segmented
            label={policyLabels[key]}
            value={String(policy[key] ?? '')}
            options={switchOptions}
            onChange={(value) => set(key, value === '' ? undefined : value === 'true')}
          />
        </div>
      ))}
      {(['update_window', 'update_not_before'] as const).map((key) => (
        <TextInput
          key={key}
          label={policyLabels[key]}
          description={
            key === 'update_window'
              ? t('Days, hours and time zone, such as “mon-fri 22:00-05:00 Europe/Berlin”.')
              : t('Such as 2027-01-04T08:00:00Z.')
          }
          placeholder={t('not set')}
          value={policy[key] ?? ''}
          error={errorAt(key)}
          onChange={(event) => set(key, event.currentTarget.value.trim() === '' ? undefined : event.currentTarget.value)}
        />
      ))}
      <PresetPicker value={policy.presets ?? []} onChange={(presets) => set('presets', presets.length === 0 ? undefined : presets)} />
      {(['exclude_globs', 'include_globs'] as const).map((key) => (
        <Textarea
          key={key}
          label={policyLabels[key]}
          description={t('One pattern per line, in .gitignore syntax.')}
          autosize
          minRows={2}
          value={policy[key]?.join('\n') ?? ''}
          error={errorAt(key)}
          onChange={(event) => set(key, linesOf(event.currentTarget.value))}
          onBlur={() => set(key, withoutEmpty(policy[key]))}
          styles={mono}
        />
      ))}
    </>
  );
}
