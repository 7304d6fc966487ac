import { CircleCheck, CircleSlash, CircleX, type LucideIcon, RefreshCw, TriangleAlert } from 'lucide-react';
import type { Library, Scan } from '../../api/types.ts';
import { StatusText, type Tone } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import s from './recent-scans.module.css';

function scanStatus(scan: Scan): { tone: Tone; icon: LucideIcon; label: string } {
  if (scan.status === 'finished') return { tone: 'ok', icon: CircleCheck, label: t('Finished') };
  if (scan.status === 'failed')
    return scan.guard ? { tone: 'warn', icon: TriangleAlert, label: t('Blocked') } : { tone: 'danger', icon: CircleX, label: t('Failed') };
  if (scan.status === 'stopped') return { tone: 'idle', icon: CircleSlash, label: t('Stopped') };
  return { tone: 'active', icon: RefreshCw, label: scan.status === 'stopping' ? t('Stopping') : t('Running') };
}

export function RecentScans({ scans, libraries }: { scans: Scan[]; libraries: Library[] }) {
  return (
    <table className={s.table}>
      <thead className="visually-hidden">
        <tr>
          <th>{t('Result')}</th>
          <th>{t('Library')}</th>
          <th>{t('Started')}</th>
          <th>{t('New')}</th>
          <th>{t('Changed')}</th>
          <th>{t('Missing or found again')}</th>
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
              <td className="m5">{libraries.find((l) => l.id === scan.library_id)?.name ?? t('Removed library')}</td>
              <td className="muted">{formatRecent(scan.started_at)}</td>
              <td className="num">{guard ? '' : <Figure n={scan.new} label={t('new')} plus />}</td>
              <td className="num">{guard ? '' : <Figure n={scan.changed} label={t('changed')} />}</td>
              <td className="num">
                {guard ? (
                  <Figure n={guard.would_vanish} label={t('at risk')} />
                ) : scan.returned > 0 && scan.missing === 0 ? (
                  <Figure n={scan.returned} label={t('found again')} plus />
                ) : (
                  <Figure n={scan.missing} label={t('missing')} />
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
