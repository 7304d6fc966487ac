import { CircleCheck, CircleX } from 'lucide-react';
import type { Backup } from '../../../api/types.ts';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/page.tsx';
import { StatusPill } from '../../../components/status.tsx';
import { formatRecent } from '../../../format/dates.ts';
import { formatDuration } from '../../../format/numbers.ts';
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
            Restore drill
          </h2>
          {result && (
            <StatusPill tone={result.ok ? 'ok' : 'danger'} icon={result.ok ? CircleCheck : CircleX}>
              {result.ok ? 'Passed' : 'Failed'}
            </StatusPill>
          )}
        </>
      }
      aside={
        onRun && (
          <Button onClick={onRun} disabled={busy}>
            Run now
          </Button>
        )
      }
    >
      <p className="t2">
        {!last || !result
          ? 'A drill restores a backup into an empty database, compares every row and runs the consistency checks. It never touches the running catalog.'
          : result.ok
            ? `Last run ${formatRecent(result.verified_at)}: the backup of ${takenAt(last)} was restored into an empty database in ${formatDuration(result.seconds)}. Every row was compared.`
            : `Last run ${formatRecent(result.verified_at)}: the backup of ${takenAt(last)} could not be restored. ${result.error ?? ''}`}
      </p>
    </Card>
  );
}
