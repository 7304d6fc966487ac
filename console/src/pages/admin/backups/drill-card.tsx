import { CircleCheck, CircleX } from 'lucide-react';
import type { Backup } from '../../../api/types.ts';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/page.tsx';
import { StatusPill } from '../../../components/status.tsx';
import { formatRecent } from '../../../format/dates.ts';
import { formatDuration } from '../../../format/numbers.ts';
import { t } from '../../../language/text.ts';
import { takenAt } from './backups-table.tsx';

/** The newest proof that a backup can be restored. */
export function DrillCard({ bundles, busy, onRun }: { bundles: readonly Backup[]; busy: boolean; onRun?: () => void }) {
  const last = bundles
    .filter(({ verification }) => verification !== null)
    .toSorted((a, b) => (b.verification?.verified_at ?? '').localeCompare(a.verification?.verified_at ?? ''))[0];
  const result = last?.verification;
  return (
    <Card
      headingId="backups-drill"
      title={
        <>
          <h2 className="h3" id="backups-drill">
            {t('Restore drill')}
          </h2>
          {result && (
            <StatusPill tone={result.ok ? 'ok' : 'danger'} icon={result.ok ? CircleCheck : CircleX}>
              {result.ok ? t('Passed') : t('Failed')}
            </StatusPill>
          )}
        </>
      }
      aside={
        onRun && (
          <Button onClick={onRun} disabled={busy}>
            {t('Run now')}
          </Button>
        )
      }
    >
      <p className="t2">
        {!last || !result
          ? t(
              'A drill restores a backup into an empty database, compares every row and runs the consistency checks. It never touches the running catalog.',
            )
          : result.ok
            ? t(
                'Last run {verified_at}: the backup of {takenAt} was restored into an empty database in {seconds}. Every row was compared.',
                { verified_at: formatRecent(result.verified_at), takenAt: takenAt(last), seconds: formatDuration(result.seconds) },
              )
            : t('Last run {verified_at}: the backup of {takenAt} could not be restored. {error}', {
                verified_at: formatRecent(result.verified_at),
                takenAt: takenAt(last),
                error: result.error ?? '',
              })}
      </p>
    </Card>
  );
}
