import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, Download } from 'lucide-react';
import * as operations from '../../api/operations.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatDate, formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';

/** Whether there is a newer version, and its changes. Nothing is asked unless a person presses the button or the settings allow it. */
export function UpdatesCard() {
  const client = useQueryClient();
  const last = useQuery({ queryKey: ['update-check'], queryFn: operations.updateCheck, staleTime: 600_000 });
  const check = useMutation({
    mutationFn: operations.checkForUpdate,
    onSuccess: (result) => client.setQueryData(['update-check'], result),
  });
  const central = last.data?.components[0];
  const news = (last.data?.changelog ?? []).filter(({ is_new }) => is_new !== false);
  const newer = central?.update_available;
  return (
    <Card
      title={t('Updates')}
      aside={
        <Button onClick={() => check.mutate()} disabled={check.isPending}>
          {check.isPending ? t('Checking…') : t('Check now')}
        </Button>
      }
    >
      <ErrorNote error={last.error ?? check.error} />
      {last.data && (
        <p className="row g2 wrap" style={{ minHeight: 32 }}>
          <StatusText
            tone={newer ? 'active' : newer === false ? 'ok' : 'idle'}
            icon={newer ? Download : newer === false ? CircleCheck : CircleSlash}
          >
            {newer ? t('Newer version available') : newer === false ? t('Up to date') : t('Not known')}
          </StatusText>
          <span className="t2">{last.data.error ?? central?.detail ?? t('Nothing was asked yet.')}</span>
          {last.data.checked_at && (
            <span className="muted">{t('Checked {checked_at}', { checked_at: formatRecent(last.data.checked_at) })}</span>
          )}
        </p>
      )}
      {news.length > 0 && (
        <ul className="t2">
          {news.map(({ sha, date, subject }) => (
            <li key={sha}>
              {formatDate(date)}: {subject}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
