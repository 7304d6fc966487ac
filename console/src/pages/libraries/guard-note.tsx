import { Clock, RefreshCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Library, LibraryStats, Scan, ScanGuard } from '../../api/types.ts';
import { formatRecent } from '../../format/dates.ts';
import { formatCount, pluralize } from '../../format/numbers.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import s from './library-card.module.css';

interface GuardNoteProps {
  library: Library;
  scan: Scan | undefined;
  lastGood: Scan | undefined;
  stats: LibraryStats | undefined;
  busy: boolean;
  mayScan: boolean;
  onScan: (force: boolean) => Promise<unknown>;
}

const SHOWN = 5;

/** Where the vanished files lie: as the service counted them, else the folders of its sample. */
function foldersOf(guard: ScanGuard | null): { name: string; count: number | null }[] {
  if (guard?.folders?.length)
    return guard.folders
      .slice(0, SHOWN)
      .map(({ rel_path, count: n }) => ({ name: rel_path === '' ? 'in the folder itself' : `${rel_path}/`, count: n }));
  const names = (guard?.sample ?? []).map((path) => (path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path));
  return [...new Set(names)].slice(0, SHOWN).map((name) => ({ name, count: null }));
}

/** A scan that held itself back: what would have happened, that nothing was changed, and the ways on. */
export function GuardNote({ library, scan, lastGood, stats, busy, mayScan, onScan }: GuardNoteProps) {
  const [asking, setAsking] = useState(false);
  const guard = scan?.guard ?? null;
  const folders = foldersOf(guard);
  const more = (guard?.folders?.length ?? 0) - folders.length;
  const total = guard?.of ?? stats?.file_count ?? 0;
  const would = guard?.would_vanish ?? total;
  return (
    <>
      <div style={{ marginTop: 12 }}>
        <Note tone="warn" icon={TriangleAlert}>
          <div className="b">
            {would > 0
              ? `Scan stopped. It would mark ${formatCount(would)} of ${formatCount(total)} files missing.`
              : (library.last_scan?.error ?? 'Scan stopped.')}
          </div>
          <p className="t2" style={{ marginTop: 4 }}>
            Nothing was changed. A folder that empties at once is usually a mount that dropped. Check the mount, then scan again.
          </p>
          {folders.length > 0 && (
            <ul className={s.gone}>
              {folders.map((folder) => (
                <li key={folder.name}>
                  <bdi className="cut">{folder.name}</bdi>
                  {folder.count !== null && <span>{pluralize(folder.count, 'file')}</span>}
                </li>
              ))}
              {more > 0 && <li>and {pluralize(more, 'more folder')}</li>}
            </ul>
          )}
          {guard?.sample && guard.sample.length > 0 && (
            <details className={s.sample}>
              <summary>
                {guard.sample.length < would ? `${formatCount(guard.sample.length)} of the ${formatCount(would)} files` : 'The files'}
              </summary>
              <ul className={s.gone}>
                {guard.sample.map((path) => (
                  <li key={path}>
                    <bdi className="cut">{path}</bdi>
                  </li>
                ))}
              </ul>
            </details>
          )}
          {mayScan && (
            <div className="row g2 wrap" style={{ marginTop: 12 }}>
              <Button variant="primary" disabled={busy} onClick={() => void onScan(false)}>
                <RefreshCw size={16} aria-hidden />
                Scan again
              </Button>
              <ButtonLink href={`#/?library=${library.id}`}>See all {pluralize(total, 'file')}</ButtonLink>
              <span className="grow" />
              {would > 0 && (
                <Button variant="danger" disabled={busy} onClick={() => setAsking(true)}>
                  Mark as missing…
                </Button>
              )}
            </div>
          )}
        </Note>
      </div>
      <div className={`${s.line} ${s.plain}`}>
        <StatusText tone="idle" icon={Clock}>
          {lastGood ? `Last good scan ${formatRecent(lastGood.finished_at ?? lastGood.started_at)}` : 'No good scan yet'}
        </StatusText>
        <span className={s.op}>·</span>
        <span>
          <b>{formatCount(total)}</b> files, all still searchable
        </span>
      </div>
      <ConfirmDialog
        opened={asking}
        title={`Mark ${pluralize(would, 'file')} missing?`}
        facts={[
          { label: 'become missing', value: formatCount(would) },
          { label: 'stay present', value: formatCount(Math.max(0, total - would)) },
          ...(guard?.annotated === undefined ? [] : [{ label: 'carry tags or notes', value: formatCount(guard.annotated) }]),
        ]}
        typeName={library.name}
        typeLabel="Type the library’s name to confirm"
        confirm={`Mark ${formatCount(would)} missing`}
        danger
        onConfirm={() => onScan(true)}
        onClose={() => setAsking(false)}
      >
        They leave search results. Their tags, notes and history stay, and come back if the files do. No file on disk is touched.
      </ConfirmDialog>
    </>
  );
}
