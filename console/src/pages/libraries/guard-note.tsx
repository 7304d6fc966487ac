import { Clock, RefreshCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Library, LibraryStats, Scan, ScanGuard } from '../../api/types.ts';
import { Button, ButtonLink, TextLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { serverText, t } from '../../language/text.ts';
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
function foldersOf(guard: ScanGuard | null): { name: string; count: number | null; path: string | null }[] {
  if (guard?.folders?.length)
    return guard.folders
      .slice(0, SHOWN_FOLDERS)
      .map(({ rel_path, count: n }) => ({ name: rel_path === '' ? t('Top-level folder') : `${rel_path}/`, count: n, path: rel_path }));
  const names = (guard?.sample ?? []).map((path) => (path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path));
  return [...new Set(names)].slice(0, SHOWN_FOLDERS).map((name) => ({ name, count: null, path: null }));
}

/** Explains why a guard stopped the scan, that nothing was changed, and what to do next. */
export function GuardNote({ library, scan, lastSuccess, stats, busy, canScan, onScan }: GuardNoteProps) {
  const [confirming, setConfirming] = useState(false);
  const guard = scan?.guard ?? null;
  const folders = foldersOf(guard);
  const more = (guard?.folders?.length ?? 0) - folders.length;
  const total = guard?.of ?? stats?.file_count ?? 0;
  const would = guard?.would_vanish ?? 0;
  return (
    <>
      <div style={{ marginTop: 12 }}>
        <Note tone="warn" icon={TriangleAlert}>
          <div className="b">
            {would > 0
              ? t('Scan stopped. It would mark {would} of {total|# file|# files} missing.', { would, total })
              : library.last_scan?.error
                ? serverText(library.last_scan.error)
                : t('Scan stopped.')}
          </div>
          <p className="t2" style={{ marginTop: 4 }}>
            {t('Nothing was changed. The usual cause is a disconnected drive or network share. Check the mount, then scan again.')}
          </p>
          {folders.length > 0 && (
            <ul className={s.vanished}>
              {folders.map((folder) => (
                <li key={folder.name}>
                  <bdi className="cut">
                    {folder.path === null ? (
                      folder.name
                    ) : (
                      <TextLink href={`#/browse/${library.id}?path=${encodeURIComponent(folder.path)}`}>{folder.name}</TextLink>
                    )}
                  </bdi>
                  {folder.count !== null && <span>{t('{n|# file|# files}', { n: folder.count })}</span>}
                </li>
              ))}
              {more > 0 && <li>{t('and {more|# more folder|# more folders}', { more })}</li>}
            </ul>
          )}
          {guard?.sample && guard.sample.length > 0 && (
            <details className={s.sample}>
              <summary>
                {guard.sample.length < would
                  ? t('Show {sample} of {would|# file|# files}', { sample: guard.sample.length, would })
                  : t('Show files')}
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
                {t('Scan again')}
              </Button>
              {guard && would >= total && (
                <ButtonLink href={`#/?library=${library.id}`}>{t('See {total|the file|all # files}', { total })}</ButtonLink>
              )}
              <span className="grow" />
              {would > 0 && (
                <Button variant="danger" disabled={busy} onClick={() => setConfirming(true)}>
                  {t('Mark as missing…')}
                </Button>
              )}
            </div>
          )}
        </Note>
      </div>
      <div className={`${s.line} ${s.plain}`}>
        <StatusText tone="idle" icon={Clock}>
          {lastSuccess
            ? t('Last successful scan {finished_at}', { finished_at: formatRecent(lastSuccess.finished_at ?? lastSuccess.started_at) })
            : t('No successful scan yet')}
        </StatusText>
        <span className={s.op}>·</span>
        <span>
          {rich('<b>{total}</b> {total|file, still searchable|files, all still searchable}', { total, b: (text) => <b>{text}</b> })}
        </span>
      </div>
      <ConfirmDialog
        opened={confirming}
        title={t('Mark {would|# file|# files} missing?', { would })}
        facts={[
          { label: t('marked missing'), value: formatCount(would) },
          { label: t('unchanged'), value: formatCount(Math.max(0, total - would)) },
          ...(guard?.annotated === undefined ? [] : [{ label: t('with tags or notes'), value: formatCount(guard.annotated) }]),
        ]}
        typeName={library.name}
        typeLabel={t('Type the library name to confirm')}
        confirm={t('Mark {would} missing', { would })}
        danger
        onConfirm={() => onScan(true)}
        onClose={() => setConfirming(false)}
      >
        {t(
          'They no longer appear in search results. Their tags, notes and history are kept and return if the files do. Files on disk are not touched.',
        )}
      </ConfirmDialog>
    </>
  );
}
