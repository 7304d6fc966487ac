import { Clock, RefreshCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Library, LibraryStats, Scan, ScanGuard } from '../../api/types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';
import { formatCount, pluralize } from '../../format/numbers.ts';
import s from './library-card.module.css';

interface GuardNoteProps {
  library: Library;
  scan: Scan | undefined;
  lastSuccess: Scan | undefined;
  stats: LibraryStats | undefined;
  busy: boolean;
  canScan: boolean;
  onScan: (force: boolean) => Promise<unknown>;
}

const SHOWN_FOLDERS = 5;

/** The folders of the vanished files: from the counts of the server, or else from its sample of paths. */
function foldersOf(guard: ScanGuard | null): { name: string; count: number | null }[] {
  if (guard?.folders?.length)
    return guard.folders
      .slice(0, SHOWN_FOLDERS)
      .map(({ rel_path, count: n }) => ({ name: rel_path === '' ? 'Top-level folder' : `${rel_path}/`, count: n }));
  const names = (guard?.sample ?? []).map((path) => (path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path));
  return [...new Set(names)].slice(0, SHOWN_FOLDERS).map((name) => ({ name, count: null }));
}

/** Explains why a guard stopped the scan, that nothing was changed, and what to do next. */
export function GuardNote({ library, scan, lastSuccess, stats, busy, canScan, onScan }: GuardNoteProps) {
  const [confirming, setConfirming] = useState(false);
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
            Nothing was changed. The usual cause is a disconnected drive or network share. Check the mount, then scan again.
          </p>
          {folders.length > 0 && (
            <ul className={s.vanished}>
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
                {guard.sample.length < would ? `Show ${formatCount(guard.sample.length)} of ${pluralize(would, 'file')}` : 'Show files'}
              </summary>
              <ul className={s.vanished}>
                {guard.sample.map((path) => (
                  <li key={path}>
                    <bdi className="cut">{path}</bdi>
                  </li>
                ))}
              </ul>
            </details>
          )}
          {canScan && (
            <div className="row g2 wrap" style={{ marginTop: 12 }}>
              <Button variant="primary" disabled={busy} onClick={() => void onScan(false)}>
                <RefreshCw size={16} aria-hidden />
                Scan again
              </Button>
              <ButtonLink href={`#/?library=${library.id}`}>See all {pluralize(total, 'file')}</ButtonLink>
              <span className="grow" />
              {would > 0 && (
                <Button variant="danger" disabled={busy} onClick={() => setConfirming(true)}>
                  Mark as missing…
                </Button>
              )}
            </div>
          )}
        </Note>
      </div>
      <div className={`${s.line} ${s.plain}`}>
        <StatusText tone="idle" icon={Clock}>
          {lastSuccess
            ? `Last successful scan ${formatRecent(lastSuccess.finished_at ?? lastSuccess.started_at)}`
            : 'No successful scan yet'}
        </StatusText>
        <span className={s.op}>·</span>
        <span>
          <b>{formatCount(total)}</b> files, all still searchable
        </span>
      </div>
      <ConfirmDialog
        opened={confirming}
        title={`Mark ${pluralize(would, 'file')} missing?`}
        facts={[
          { label: 'marked missing', value: formatCount(would) },
          { label: 'unchanged', value: formatCount(Math.max(0, total - would)) },
          ...(guard?.annotated === undefined ? [] : [{ label: 'with tags or notes', value: formatCount(guard.annotated) }]),
        ]}
        typeName={library.name}
        typeLabel="Type the library name to confirm"
        confirm={`Mark ${formatCount(would)} missing`}
        danger
        onConfirm={() => onScan(true)}
        onClose={() => setConfirming(false)}
      >
        They no longer appear in search results. Their tags, notes and history are kept and return if the files do. Files on disk are not
        touched.
      </ConfirmDialog>
    </>
  );
}
