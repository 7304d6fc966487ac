import { useEffect, useState } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { count } from '../../format/numbers.ts';
import { toast } from '../../parts/toast.tsx';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialogs.tsx';
import { download, listAsCsv } from './bulk-edit.ts';
import { QuickLook } from './quick-look.tsx';
import { type SearchState, writeState } from './search-state.ts';
import { clear, NOTHING } from './selection.ts';
import type { Hits } from './use-hits.ts';
import type { ResultKeys } from './use-result-keys.ts';

/** "Select all" works up to this many files; more than that is a question for a report. */
const MOST_SELECTED = 5_000;

interface SelectionActionsProps {
  results: ResultKeys;
  hits: Hits;
  libraryName: (id: string) => string;
  words: string[];
  state: SearchState;
  onChanged: () => void;
}

/** What floats over the results: the bar for chosen files, its dialogs, the quick look. */
export function SelectionActions({ results, hits, libraryName, words, state, onChanged }: SelectionActionsProps) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<'tag' | 'note' | null>(null);
  // Hits of chosen files are kept here, so that they are known after the list has scrolled away.
  const [known, setKnown] = useState<Map<string, SearchHit>>(new Map());
  const { selection, setSelection, wantsAll } = results;

  const chosen: SearchHit[] = [];
  if (selection.ids.size > 0) {
    const left = new Set(selection.ids);
    for (let i = 0; i < hits.total && left.size > 0; i += 1) {
      const hit = hits.hitAt(i);
      if (!hit) break;
      if (left.delete(hit.id)) chosen.push(hit);
    }
    for (const id of left) {
      const hit = known.get(id);
      if (hit) chosen.push(hit);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for every time "all" is asked
  useEffect(() => {
    if (wantsAll === 0) return;
    if (hits.total > MOST_SELECTED) {
      toast(`Select all works up to ${count(MOST_SELECTED)} files; this search has ${count(hits.total)}. Add a filter.`);
      return;
    }
    void hits.loadUpTo(MOST_SELECTED).then((all) => {
      setKnown(new Map(all.map((hit) => [hit.id, hit])));
      setSelection({ ...selection, ids: new Set(all.map((hit) => hit.id)) });
    });
  }, [wantsAll]);

  useKeys(
    {
      t: () => (can('write') ? setDialog('tag') : false),
      n: () => (can('write') ? setDialog('note') : false),
    },
    chosen.length > 1,
  );

  const currentHit = selection.current === null ? undefined : hits.hitAt(selection.current);
  return (
    <>
      {selection.ids.size > 0 && (
        <BulkBar
          selected={selection.ids.size}
          size={chosen.reduce((sum, hit) => sum + hit.size, 0)}
          total={hits.total}
          mayEdit={can('write')}
          onTag={() => setDialog('tag')}
          onNote={() => setDialog('note')}
          onExport={() => download('catalog-list.csv', listAsCsv(chosen, libraryName))}
          onAll={results.selectAll}
          onClear={() => setSelection(clear(selection))}
        />
      )}
      {dialog && (
        <BulkDialog
          kind={dialog}
          hits={chosen}
          onClose={() => setDialog(null)}
          onChanged={() => {
            setSelection({ ...NOTHING, current: selection.current });
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
    </>
  );
}
