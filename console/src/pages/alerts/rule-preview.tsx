import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatDayMonth, formatRecent } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './alerts-page.module.css';
import { alternativesSentence, previewSentence } from './labels.ts';

const PREVIEW_DELAY_MS = 300;

/** Asked again 300 ms after the last change; the old answer stays until the new one is there. */
export function RulePreview({ fields }: { fields: api.RuleFields }) {
  const [settled] = useDebouncedValue(JSON.stringify(previewFields(fields)), PREVIEW_DELAY_MS);
  const [open, setOpen] = useState(false);
  const preview = useQuery({
    queryKey: ['alert-preview', settled],
    queryFn: () => api.previewRule(JSON.parse(settled) as Parameters<typeof api.previewRule>[0]),
    placeholderData: (before) => before,
    retry: false,
  });
  if (preview.error) return <ErrorNote error={preview.error} />;
  const data = preview.data;
  const most = Math.max(1, ...(data?.days ?? []).map(({ matches }) => matches));
  return (
    <section className={s.preview} aria-label={t('Test against the past')} aria-busy={preview.isFetching}>
      <p className="row g2">
        <Bell size={16} aria-hidden />
        <b className="m5">{data ? previewSentence(data) : t('Testing against the last 7 days…')}</b>
        <span className="grow" />
        {data && data.times.length > 0 && (
          <Button size="s" variant="ghost" onClick={() => setOpen(!open)}>
            {open ? t('Hide the times') : t('Show the times')}
          </Button>
        )}
      </p>
      {data && data.fired !== null && (
        <div className={s.bars}>
          {data.days.map(({ day, matches }) => (
            <span key={day} title={`${formatDayMonth(day)}: ${formatCount(matches)}`}>
              <i style={{ height: `${(matches / most) * 48}px` }} />
              <span className={s.small}>{formatDayMonth(day)}</span>
            </span>
          ))}
        </div>
      )}
      {open && <p className="t2">{data?.times.map((at) => formatRecent(at)).join(' · ')}</p>}
      {data && <p className="t2">{alternativesSentence(data.alternatives)}</p>}
      {data && !data.complete && <p className={s.small}>{t('Only the first 200,000 changes were read.')}</p>}
    </section>
  );
}

function previewFields({
  event_types,
  library_id,
  path_glob,
  hash_change_only,
  group_by,
  threshold_count,
  threshold_window_s,
  digest_window,
  saved_search_id,
}: api.RuleFields) {
  return {
    event_types,
    library_id,
    path_glob,
    hash_change_only,
    group_by,
    threshold_count,
    threshold_window_s,
    digest_window,
    saved_search_id,
  };
}
