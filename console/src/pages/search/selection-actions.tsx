import { Columns2, Copy, Download, List, Pencil, Tag, X } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import type { SearchHit, SearchParams } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { copyText } from '../../components/copy-button.tsx';
import { LazyMenu } from '../../components/lazy-menu.tsx';
import { toast } from '../../components/toast.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { compareHref, MAX_COMPARED } from '../compare/limits.ts';
import { collectFiles } from './collect-files.ts';
import { MAX_COPIED_PATHS, PATH_FORMS, type PathForm, pathsOf } from './copy-paths.ts';
import { CSV_HEAD, csvLine, download } from './csv-list.ts';
import { listedParams } from './page-cache.ts';
import { type SearchState, writeState } from './search-state.ts';
import { clearSelection, EMPTY_SELECTION, type SelectedFiles } from './selection.ts';
import s from './selection-actions.module.css';
import type { Hits } from './use-hits.ts';
import type { ResultKeys } from './use-result-keys.ts';

const QuickLook = lazy(() => import('./quick-look.tsx').then((part) => ({ default: part.QuickLook })));
const BulkDialog = lazy(() => import('./bulk-dialogs.tsx'));
const ArchiveDialog = lazy(() => import('./archive-dialog.tsx'));

interface SelectionActionsProps {
  results: ResultKeys;
  hits: Hits;
  params: SearchParams;
  libraryName: (id: string) => string;
  words: string[];
  state: SearchState;
  onChanged: () => void;
}

/** The toolbar for selected files, its dialogs, and quick look. */
export function SelectionActions({ results, hits, params: searched, libraryName, words, state, onChanged }: SelectionActionsProps) {
  const { can, mayDownload } = useSession();
  const params = listedParams(searched, hits.first);
  const [dialog, setDialog] = useState<'tag' | 'note' | 'download' | null>(null);
  const { selection, setSelection } = results;
  const selected = selection.files;
  const loaded = useSelectedHits(selected, hits);
  const { exporting, exportList } = useExport({ selected, loaded, params, libraryName });

  useKeys(
    {
      t: () => (can('write') ? setDialog('tag') : false),
      n: () => (can('write') ? setDialog('note') : false),
    },
    selected.size > 1,
  );

  const copyPaths = (form: PathForm) => {
    const signal = new AbortController().signal;
    collectFiles({ selected, loaded, params, signal, onProgress: () => {} }, (hit) => hit.id)
      .then((ids) => pathsOf(ids, form))
      .then(async ({ paths, without }) => {
        if (paths.length > 0) await copyText(paths.join('\n'));
        toast(
          without > 0
            ? t('{n|# path|# paths} copied. {without|# file has|# files have} none.', { n: paths.length, without })
            : t('{n|# path|# paths} copied.', { n: paths.length }),
        );
      })
      .catch((error: unknown) => toast(t('Could not copy the paths. {errorMessage}', { errorMessage: errorMessage(error) })));
  };

  const currentHit = selection.current === null ? undefined : hits.hitAt(selection.current);
  const sum = selected.ids === null ? (hits.first?.total_bytes ?? null) : loaded.reduce((total, hit) => total + hit.size, 0);
  return (
    <>
      {selected.size > 0 && (
        <BulkBar
          selected={selected.size}
          size={selected.excludedIds.size > 0 ? null : sum}
          total={hits.total}
          mayEdit={can('write')}
          exporting={exporting}
          onTag={() => setDialog('tag')}
          onNote={() => setDialog('note')}
          onDownload={mayDownload ? () => setDialog('download') : undefined}
          onCopyPaths={selected.size <= MAX_COPIED_PATHS ? copyPaths : undefined}
          onCompare={
            selected.ids !== null && selected.size > 1 && selected.size <= MAX_COMPARED
              ? () => navigate(compareHref([...(selected.ids ?? [])]))
              : undefined
          }
          onExport={exportList}
          onAll={results.selectAll}
          onClear={() => setSelection(clearSelection(selection))}
        />
      )}
      <Suspense>
        {dialog === 'download' && <ArchiveDialog target={{ selected, loaded, params }} onClose={() => setDialog(null)} />}
        {(dialog === 'tag' || dialog === 'note') && (
          <BulkDialog
            kind={dialog}
            target={{ selected, loaded, params }}
            onClose={() => setDialog(null)}
            onChanged={() => {
              // The edit may have changed what the search matches, so "all hits" is deselected.
              if (selected.ids === null) setSelection({ ...EMPTY_SELECTION, current: selection.current });
              onChanged();
            }}
          />
        )}
        {results.quickLookOpen && currentHit && (
          <QuickLook
            id={currentHit.id}
            words={words}
            href={`#/item/${currentHit.id}?${writeState({ ...state, item: '' })}&at=${selection.current}`}
            onStep={results.step}
            onClose={results.closeQuickLook}
          />
        )}
      </Suspense>
    </>
  );
}

/** The hits of individually selected files. They are kept when their page is evicted from the cache. */
function useSelectedHits(selected: SelectedFiles, hits: Hits): SearchHit[] {
  const known = useRef(new Map<string, SearchHit>());
  if (selected.ids === null || selected.size === 0) return [];
  const missing = new Set([...selected.ids].filter((id) => !known.current.has(id)));
  for (let i = 0; i < hits.total && missing.size > 0; i += 1) {
    const hit = hits.hitAt(i);
    if (hit && missing.delete(hit.id)) known.current.set(hit.id, hit);
  }
  return [...selected.ids].flatMap((id) => known.current.get(id) ?? []);
}

/** Exports the selected files as CSV. When all hits are selected, they are loaded first; calling it again cancels that. */
function useExport(options: { selected: SelectedFiles; loaded: SearchHit[]; params: SearchParams; libraryName: (id: string) => string }): {
  exporting: string | null;
  exportList: () => void;
} {
  const [exporting, setExporting] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const exportList = () => {
    if (running.current) {
      running.current.abort();
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setExporting(t('Preparing…'));
    collectFiles(
      {
        ...options,
        signal: controller.signal,
        onProgress: (p) => setExporting(t('Cancel ({done} of {total})', { done: p.done, total: p.total })),
      },
      (hit) => csvLine(hit, options.libraryName),
    )
      .then((lines) => {
        if (controller.signal.aborted) return;
        download('catalog-list.csv', [CSV_HEAD, ...lines]);
        toast(t('Exported {lines|# file|# files}', { lines: lines.length }));
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) toast(t('Export failed. {errorMessage}', { errorMessage: errorMessage(error) }));
      })
      .finally(() => {
        running.current = null;
        setExporting(null);
      });
  };
  return { exporting, exportList };
}

interface BulkBarProps {
  selected: number;
  /** Total size of the selected files, if known. */
  size: number | null;
  total: number;
  mayEdit: boolean;
  /** Progress of a running export. */
  exporting: string | null;
  onTag: () => void;
  onNote: () => void;
  /** Undefined when the user may not download anywhere. */
  onDownload: (() => void) | undefined;
  /** Undefined when too many files are selected. */
  onCopyPaths: ((form: PathForm) => void) | undefined;
  /** Undefined unless two to four files are selected. */
  onCompare: (() => void) | undefined;
  onExport: () => void;
  onAll: () => void;
  onClear: () => void;
}

/** The number of selected files and the actions for them. */
function BulkBar(props: BulkBarProps) {
  return (
    <div className={s.place}>
      <div className={s.bar} role="toolbar" aria-label={t('Selected files')}>
        <b className="b" role="status">
          {t('{selected} selected', { selected: props.selected })}
        </b>
        {props.size !== null && <span className={`muted ${s.size}`}>&nbsp;{formatBytes(props.size)}</span>}
        <span className={s.sep} />
        {props.mayEdit && (
          <>
            <Button variant="ghost" onClick={props.onTag} title={t('Tag')}>
              <Tag size={16} aria-hidden />
              <span className={s.label}>{t('Tag')}</span>
            </Button>
            <Button variant="ghost" className="sm-hide" onClick={props.onNote} title={t('Note')}>
              <Pencil size={16} aria-hidden />
              <span className={s.label}>{t('Note')}</span>
            </Button>
          </>
        )}
        {props.onDownload && (
          <Button variant="ghost" onClick={props.onDownload} title={t('Download')}>
            <Download size={16} aria-hidden />
            <span className={s.label}>{t('Download')}</span>
          </Button>
        )}
        {props.onCompare && (
          <Button variant="ghost" onClick={props.onCompare} title={t('Compare')}>
            <Columns2 size={16} aria-hidden />
            <span className={s.label}>{t('Compare')}</span>
          </Button>
        )}
        {props.onCopyPaths && (
          <LazyMenu
            target={
              <Button variant="ghost" className="sm-hide" title={t('Copy paths')}>
                <Copy size={16} aria-hidden />
                <span className={s.label}>{t('Copy paths')}</span>
              </Button>
            }
          >
            {(Menu) => (
              <>
                {PATH_FORMS.map(({ value, label }) => (
                  <Menu.Item key={value} onClick={() => props.onCopyPaths?.(value)}>
                    {label}
                  </Menu.Item>
                ))}
              </>
            )}
          </LazyMenu>
        )}
        <Button variant="ghost" className="sm-hide" onClick={props.onExport} title={t('Export list')}>
          <List size={16} aria-hidden />
          <span className={props.exporting ? undefined : s.label}>{props.exporting ?? t('Export list')}</span>
        </Button>
        {props.selected < props.total && (
          <>
            <span className={`${s.sep} sm-hide`} />
            <Button variant="ghost" className="sm-hide" onClick={props.onAll}>
              {t('Select all {total}', { total: props.total })}
            </Button>
          </>
        )}
        <IconButton label={t('Clear selection')} onClick={props.onClear}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
