import { lazy, Suspense, useRef, useState } from 'react';
import { Download, Pencil, Tag, X } from 'lucide-react';
import type { SearchHit, SearchParams } from '../../api/types.ts';
import { errorMessage } from '../../api/problem.ts';
import { formatCount, pluralize, formatBytes } from '../../format/numbers.ts';
import { toast } from '../../components/toast.tsx';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { CSV_HEAD, csvLine, download, gather } from './bulk-edit.ts';
import { type SearchState, writeState } from './search-state.ts';
import { clear, type Chosen, NOTHING } from './selection.ts';
import type { Hits } from './use-hits.ts';
import type { ResultKeys } from './use-result-keys.ts';
import s from './selection-actions.module.css';

const QuickLook = lazy(() => import('./quick-look.tsx').then((part) => ({ default: part.QuickLook })));
const BulkDialog = lazy(() => import('./bulk-dialogs.tsx'));

interface SelectionActionsProps {
  results: ResultKeys;
  hits: Hits;
  params: SearchParams;
  libraryName: (id: string) => string;
  words: string[];
  state: SearchState;
  onChanged: () => void;
}

/** What floats over the results: the bar for chosen files, its dialogs, the quick look. */
export function SelectionActions({ results, hits, params, libraryName, words, state, onChanged }: SelectionActionsProps) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<'tag' | 'note' | null>(null);
  const { selection, setSelection } = results;
  const chosen = selection.ids;
  const loaded = useLoaded(chosen, hits);
  const { exporting, exportList } = useExport({ chosen, loaded, params, libraryName });

  useKeys(
    {
      t: () => (can('write') ? setDialog('tag') : false),
      n: () => (can('write') ? setDialog('note') : false),
    },
    chosen.size > 1,
  );

  const currentHit = selection.current === null ? undefined : hits.hitAt(selection.current);
  const sum = chosen.named === null ? (hits.first?.total_bytes ?? null) : loaded.reduce((total, hit) => total + hit.size, 0);
  return (
    <>
      {chosen.size > 0 && (
        <BulkBar
          selected={chosen.size}
          size={chosen.except.size > 0 ? null : sum}
          total={hits.total}
          mayEdit={can('write')}
          exporting={exporting}
          onTag={() => setDialog('tag')}
          onNote={() => setDialog('note')}
          onExport={exportList}
          onAll={results.selectAll}
          onClear={() => setSelection(clear(selection))}
        />
      )}
      <Suspense>
        {dialog && (
          <BulkDialog
            kind={dialog}
            what={{ chosen, loaded, params }}
            onClose={() => setDialog(null)}
            onChanged={() => {
              // Files chosen one by one stay chosen for the next edit; what "all" means may have changed by this one.
              if (chosen.named === null) setSelection({ ...NOTHING, current: selection.current });
              onChanged();
            }}
          />
        )}
        {results.looking && currentHit && (
          <QuickLook
            id={currentHit.id}
            words={words}
            href={`#/item/${currentHit.id}?${writeState({ ...state, item: '' })}&at=${selection.current}`}
            onStep={results.step}
            onClose={results.stopLooking}
          />
        )}
      </Suspense>
    </>
  );
}

/** The hits of the files chosen by name; they are remembered when the list has scrolled away from them. */
function useLoaded(chosen: Chosen, hits: Hits): SearchHit[] {
  const known = useRef(new Map<string, SearchHit>());
  if (chosen.named === null || chosen.size === 0) return [];
  const missing = new Set([...chosen.named].filter((id) => !known.current.has(id)));
  for (let i = 0; i < hits.total && missing.size > 0; i += 1) {
    const hit = hits.hitAt(i);
    if (hit && missing.delete(hit.id)) known.current.set(hit.id, hit);
  }
  return [...chosen.named].flatMap((id) => known.current.get(id) ?? []);
}

/** The chosen files as a table; of a whole result it is gathered first, with its count, and can be stopped. */
function useExport(options: { chosen: Chosen; loaded: SearchHit[]; params: SearchParams; libraryName: (id: string) => string }): {
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
    const control = new AbortController();
    running.current = control;
    setExporting('Gathering…');
    gather(
      { ...options, signal: control.signal, onProgress: (p) => setExporting(`Stop at ${formatCount(p.done)} of ${formatCount(p.total)}`) },
      (hit) => csvLine(hit, options.libraryName),
    )
      .then((lines) => {
        if (control.signal.aborted) return;
        download('catalog-list.csv', [CSV_HEAD, ...lines]);
        toast(`List of ${pluralize(lines.length, 'file')} written`);
      })
      .catch((error: unknown) => {
        if (!control.signal.aborted) toast(`No list. ${errorMessage(error)}`);
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
  /** Of all chosen together, when it is known. */
  size: number | null;
  total: number;
  mayEdit: boolean;
  /** What the export is at, while it runs. */
  exporting: string | null;
  onTag: () => void;
  onNote: () => void;
  onExport: () => void;
  onAll: () => void;
  onClear: () => void;
}

/** What can be done with the chosen files; the count stands first. */
export function BulkBar(props: BulkBarProps) {
  return (
    <div className={s.bar} role="toolbar" aria-label="Chosen files">
      <b className="b" role="status">
        {formatCount(props.selected)} selected
      </b>
      {props.size !== null && <span className="muted sm-hide">&nbsp;{formatBytes(props.size)}</span>}
      <span className={s.sep} />
      {props.mayEdit && (
        <>
          <Button variant="ghost" onClick={props.onTag}>
            <Tag size={16} aria-hidden />
            Tag
          </Button>
          <Button variant="ghost" className="sm-hide" onClick={props.onNote}>
            <Pencil size={16} aria-hidden />
            Note
          </Button>
        </>
      )}
      <Button variant="ghost" onClick={props.onExport}>
        <Download size={16} aria-hidden />
        {props.exporting ?? 'Export list'}
      </Button>
      {props.selected < props.total && (
        <>
          <span className={`${s.sep} sm-hide`} />
          <Button variant="ghost" className="sm-hide" onClick={props.onAll}>
            Select all {formatCount(props.total)}
          </Button>
        </>
      )}
      <IconButton label="Clear selection" onClick={props.onClear}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
