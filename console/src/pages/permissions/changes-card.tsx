import { TextInput } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { personChanges, readableFolders } from '../../api/permissions.ts';
import { LinkButton } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { formatDate, formatShortDate, isoDay } from '../../format/dates.ts';
import { visibleName } from '../../format/paths.ts';
import { formatNumber, t } from '../../language/text.ts';
import s from './permissions.module.css';
import { endOfDay, type Subject } from './subject.ts';

/** What let somebody in or kept them out lately, with the effect in files. */
export function ChangesCard({ subject, name }: { subject: Subject; name: string }) {
  const { principal, right } = subject;
  const [comparing, setComparing] = useState(false);
  const changes = useQuery({ queryKey: ['person-changes', principal, right], queryFn: () => personChanges({ principal, right }) });
  return (
    <Card
      title={t('Changes')}
      aside={
        <LinkButton aria-expanded={comparing} onClick={() => setComparing(!comparing)}>
          {t('Compare two dates')}
        </LinkButton>
      }
    >
      {comparing && <CompareDates subject={subject} />}
      <ErrorNote error={changes.error} />
      {!changes.data && !changes.error && <Loading what={t('changes')} />}
      {changes.data?.length === 0 && <p className="muted">{t('No recorded change let {name} in or kept {name} out.', { name })}</p>}
      <ul className={s.changes} data-list>
        {changes.data?.map((change) => (
          <li key={`${change.changed_at} ${change.library_id} ${change.folder} ${change.files}`}>
            <span className="meta muted">{formatShortDate(change.changed_at)}</span>
            <span className="grow">
              {change.folder === null
                ? t('Files in {library} were changed', { library: change.library })
                : t('The folder {folder} was changed', { folder: visibleName([change.library, change.folder].filter(Boolean).join('/')) })}
            </span>
            <Effect files={change.files} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Effect({ files }: { files: number }) {
  if (files === 0) return <span className="meta muted">{t('no change')}</span>;
  const sign = files > 0 ? '+' : '−';
  return (
    <span className={`meta ${files > 0 ? s.gained : s.lost}`}>
      {t('{change} {n|file|files}', { change: `${sign}${formatNumber(Math.abs(files))}`, n: Math.abs(files) })}
    </span>
  );
}

/** How many files of each library somebody could use on two days. */
function CompareDates({ subject: { principal, right } }: { subject: Subject }) {
  const today = isoDay(new Date());
  const [days, setDays] = useState({ from: isoDay(new Date(Date.now() - 30 * 86_400_000)), to: today });
  const [then, later] = useQueries({
    queries: [days.from, days.to].map((on) => ({
      queryKey: ['readable-folders', { principal, right, on }],
      queryFn: () => readableFolders({ principal, right, ...endOfDay(on) }),
    })),
  });
  const libraries = new Map(
    [...(then?.data?.children ?? []), ...(later?.data?.children ?? [])].map(({ library_id, library }) => [library_id, library]),
  );
  const count = (data: typeof then, id: string): number => data?.data?.children.find((each) => each.library_id === id)?.allowed ?? 0;
  return (
    <div className={s.compare}>
      <div className="row g2">
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            size="xs"
            label={end === 'from' ? t('From') : t('To')}
            max={today}
            value={days[end]}
            onChange={({ currentTarget: { value } }) => setDays((all) => ({ ...all, [end]: value || today }))}
          />
        ))}
      </div>
      <ErrorNote error={then?.error ?? later?.error} />
      {then?.data && later?.data ? (
        <table className={s.compared}>
          <thead>
            <tr>
              <th scope="col">{t('Library')}</th>
              <th scope="col">{formatDate(days.from)}</th>
              <th scope="col">{formatDate(days.to)}</th>
              <th scope="col">{t('Change')}</th>
            </tr>
          </thead>
          <tbody>
            {[...libraries].map(([id, library]) => (
              <tr key={id}>
                <th scope="row">{library}</th>
                <td>{formatNumber(count(then, id))}</td>
                <td>{formatNumber(count(later, id))}</td>
                <td>
                  <Effect files={count(later, id) - count(then, id)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        !then?.error && !later?.error && <p className="muted">{t('Counting…')}</p>
      )}
    </div>
  );
}
