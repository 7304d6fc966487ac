import { CircleCheck, CircleSlash, CircleX, type LucideIcon, RefreshCw, TriangleAlert } from 'lucide-react';
import type { Library, Scan } from '../../api/types.ts';
import { StatusText, type Tone } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import s from './recent-scans.module.css';

function scanStatus(scan: Scan): { tone: Tone; icon: LucideIcon; label: string } {
  if (scan.status === 'finished') return { tone: 'ok', icon: CircleCheck, label: 'Finished' };
  if (scan.status === 'failed')
    return scan.guard ? { tone: 'warn', icon: TriangleAlert, label: 'Blocked' } : { tone: 'danger', icon: CircleX, label: 'Failed' };
  if (scan.status === 'stopped') return { tone: 'idle', icon: CircleSlash, label: 'Stopped' };
  return { tone: 'active', icon: RefreshCw, label: scan.status === 'stopping' ? 'Stopping' : 'Running' };
}

export function RecentScans({ scans, libraries }: { scans: Scan[]; libraries: Library[] }) {
  return (
    <table className={s.table}>
      <thead className="visually-hidden">
        <tr>
          <th>Result</th>
          <th>Library</th>
          <th>Started</th>
          <th>New</th>
          <th>Changed</th>
          <th>Missing or found again</th>
        </tr>
      </thead>
      <tbody {...readOnlyListProps}>
        {scans.map((scan) => {
          const status = scanStatus(scan);
          const guard = scan.status === 'failed' ? scan.guard : null;
          return (
            <tr key={scan.id}>
              <td>
                <StatusText tone={status.tone} icon={status.icon}>
                  {status.label}
                </StatusText>
              </td>
              <td className="m5">{libraries.find((l) => l.id === scan.library_id)?.name ?? 'Removed library'}</td>
              <td className="muted">{formatRecent(scan.started_at)}</td>
              <td className="num">{guard ? '' : <Figure n={scan.new} label="new" plus />}</td>
              <td className="num">{guard ? '' : <Figure n={scan.changed} label="changed" />}</td>
              <td className="num">
                {guard ? (
                  <Figure n={guard.would_vanish} label="at risk" />
                ) : scan.returned > 0 && scan.missing === 0 ? (
                  <Figure n={scan.returned} label="found again" plus />
                ) : (
                  <Figure n={scan.missing} label="missing" />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Figure({ n, label, plus }: { n: number | undefined; label: string; plus?: boolean }) {
  return (
    <>
      {plus && (n ?? 0) > 0 ? '+' : ''}
      {formatCount(n ?? 0)} <small>{label}</small>
    </>
  );
}
