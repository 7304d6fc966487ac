import { lazy, Suspense, useRef } from 'react';
import { usePreload } from '../../components/page.tsx';
import type { SelectionActionsProps } from './selection-actions.tsx';

const loadActions = () => import('./selection-actions.tsx').then((part) => ({ default: part.SelectionActions }));
const SelectionActions = lazy(loadActions);

/** The actions for selected files, from the first selection on: a first visit shows its results without them. */
export function SelectionBar(props: SelectionActionsProps) {
  usePreload(loadActions);
  const isUsed = useRef(false);
  // They stay afterwards, because a dialog of theirs may still be open when nothing is selected any more.
  isUsed.current ||= props.results.selection.files.size > 0 || props.results.quickLookOpen;
  return (
    isUsed.current && (
      <Suspense>
        <SelectionActions {...props} />
      </Suspense>
    )
  );
}
