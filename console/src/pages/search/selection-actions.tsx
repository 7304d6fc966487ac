import { lazy, Suspense, useRef, useState } from 'react';
import type { SearchHit, SearchParams } from '../../api/types.ts';
import { sentence } from '../../api/problem.ts';
import { count, counted } from '../../format/numbers.ts';
import { toast } from '../../parts/toast.tsx';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { CSV_HEAD, csvLine, download, gather } from './bulk-edit.ts';
import { type SearchState, writeState } from './search-state.ts';
import { clear, type Chosen, NOTHING } from './selection.ts';
import type { Hits } from './use-hits.ts';
import type { ResultKeys } from './use-result-keys.ts';

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
      { ...options, signal: control.signal, onProgress: (p) => setExporting(`Stop at ${count(p.done)} of ${count(p.total)}`) },
      (hit) => csvLine(hit, options.libraryName),
    )
      .then((lines) => {
        if (control.signal.aborted) return;
        download('catalog-list.csv', [CSV_HEAD, ...lines]);
        toast(`List of ${counted(lines.length, 'file')} written`);
      })
      .catch((error: unknown) => {
        if (!control.signal.aborted) toast(`No list. ${sentence(error)}`);
      })
      .finally(() => {
        running.current = null;
        setExporting(null);
      });
  };
  return { exporting, exportList };
}
