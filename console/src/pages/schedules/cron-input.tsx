import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { nextTimes } from '../../api/schedules.ts';
import { formatDateTime } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { fromCron, monthDays, type Repeat, type Timing, toCron, WEEKDAYS } from './cron-words.ts';
import s from './schedules.module.css';

const CHOICES: { value: Repeat; label: string }[] = [
  { value: 'quarter', label: t('Every 15 minutes') },
  { value: 'hour', label: t('Every hour') },
  { value: 'hours', label: t('Every six hours') },
  { value: 'day', label: t('Every day') },
  { value: 'weekday', label: t('Monday to Friday') },
  { value: 'week', label: t('Every week') },
  { value: 'month', label: t('Every month') },
  { value: 'custom', label: t('Cron expression') },
];
const TIMED = new Set<Repeat>(['day', 'weekday', 'week', 'month']);

interface CronInputProps {
  /** Empty means never. */
  value: string;
  onChange: (cron: string) => void;
  label?: string;
  error?: string | undefined;
  /** What an empty value means; without it a schedule must be chosen. */
  never?: string;
}

/** When something repeats: chosen in local time, or as a cron expression, with the next three times. */
export function CronInput({ value, onChange, label = t('When'), error, never }: CronInputProps) {
  const [timing, setTiming] = useState<Timing>(() => fromCron(value === '' ? '0 6 * * *' : value));
  const [settled] = useDebouncedValue(value.trim(), 300);
  const next = useQuery({ queryKey: ['cron', settled], queryFn: () => nextTimes(settled), retry: false, enabled: settled !== '' });
  const change = (changes: Partial<Timing>) => {
    const wanted = { ...timing, ...changes };
    const days = monthDays(wanted.time);
    const valid = days.includes(wanted.day) ? wanted : { ...wanted, day: days[0] ?? '1' };
    setTiming(valid);
    onChange(toCron(valid));
  };
  const chosen = value === '' && never !== undefined ? '' : timing.repeat;
  return (
    <div className="col g2">
      <div className={s.when}>
        <NativeSelect
          label={label}
          value={chosen}
          error={timing.repeat === 'custom' ? undefined : error}
          onChange={(event) => {
            const repeat = event.currentTarget.value;
            if (repeat === '') onChange('');
            else change({ repeat: repeat as Repeat, cron: toCron(timing) });
          }}
          data={never === undefined ? CHOICES : [{ value: '', label: never }, ...CHOICES]}
        />
        {chosen === 'week' && (
          <NativeSelect
            label={t('Day')}
            value={timing.weekday}
            onChange={(event) => change({ weekday: event.currentTarget.value })}
            data={WEEKDAYS.map((day, at) => ({ value: String(at), label: day }))}
          />
        )}
        {chosen === 'month' && (
          <NativeSelect
            label={t('Day')}
            value={timing.day}
            onChange={(event) => change({ day: event.currentTarget.value })}
            data={monthDays(timing.time)}
          />
        )}
        {chosen !== '' && TIMED.has(timing.repeat) && (
          <TextInput
            type="time"
            label={t('Time (yours)')}
            value={timing.time}
            onChange={(event) => event.currentTarget.value && change({ time: event.currentTarget.value })}
          />
        )}
        {chosen === 'custom' && (
          <TextInput
            label={t('Minute, hour, day, month, weekday (UTC)')}
            value={timing.cron}
            maxLength={200}
            error={error}
            onChange={(event) => change({ cron: event.currentTarget.value })}
          />
        )}
      </div>
      {value !== '' && (
        <p className={s.small} role="status">
          {next.error
            ? errorMessage(next.error)
            : next.data
              ? t('Next: {next}', { next: next.data.slice(0, 3).map(formatDateTime).join('; ') })
              : ' '}
        </p>
      )}
    </div>
  );
}
