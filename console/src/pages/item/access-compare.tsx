import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { compareAccess } from '../../api/permissions.ts';
import type { Item } from '../../api/types.ts';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { isoDay } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { Diff, effect, placeWords } from './access-diff.tsx';
import a from './access-tab.module.css';

/** What differs between the ends of two days: entries, and who gained or lost access by name. */
export function AccessCompare({ item }: { item: Item }) {
  const today = isoDay(new Date());
  const [days, setDays] = useState({ from: isoDay(new Date(Date.now() - 30 * 86_400_000)), to: today });
  const valid = days.from !== '' && days.to !== '' && days.from <= days.to;
  const compared = useQuery({
    queryKey: ['item', item.id, 'permissions', 'compare', days],
    queryFn: () => compareAccess(item.id, endOf(days.from), endOf(days.to)),
    enabled: valid,
    retry: false,
  });
  const { data } = compared;
  return (
    <div className={a.compare}>
      <div className="row g2">
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            size="xs"
            label={end === 'from' ? t('From') : t('To')}
            max={today}
            value={days[end]}
            onChange={({ currentTarget: { value } }) => setDays((all) => ({ ...all, [end]: value }))}
          />
        ))}
      </div>
      <div role="status">
        {!valid && <p className="muted">{t('The second date must be after the first.')}</p>}
        <ErrorNote error={compared.error} />
        {valid && !data && !compared.error && <Loading what={t('access')} />}
        {data && (
          <>
            <p>
              <b>{effect(data.gained.count, data.lost.count)}</b>
            </p>
            {data.gained.names.length > 0 && <p>{t('Gained: {names}', { names: data.gained.names.join(', ') })}</p>}
            {data.lost.names.length > 0 && <p>{t('Lost: {names}', { names: data.lost.names.join(', ') })}</p>}
            {!data.complete && <p className="muted">{t('Changes before the oldest one below are no longer known.')}</p>}
            {data.parts.map((part) => (
              <div key={part.folder ?? 'file'}>
                <p className="muted">{placeWords(part.folder)}</p>
                <Diff lines={part.lines} owner={part.owner} />
              </div>
            ))}
          </>
        )}
      </div>
    </div>
  );
}

/** The last moment of a day in the reader's time zone. */
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();
