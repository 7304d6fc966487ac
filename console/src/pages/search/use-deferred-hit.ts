import { useEffect, useRef, useState } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { createFrameThrottle } from '../../components/frame-throttle.ts';

/** Continuous scrolling never brings more new files into view in one frame. */
const hitThrottle = createFrameThrottle(8);

/** The file to render at this index. When a whole screen of files is new, rendering is spread over the next frames and this returns undefined meanwhile. */
export function useDeferredHit(hit: SearchHit | undefined, index: number): SearchHit | undefined {
  const rendered = useRef(hit ? index : -1);
  const [, setTurn] = useState(0);
  // Another file at the same index, as after a refetch, replaces the current one at once.
  if (hit && rendered.current !== index && hitThrottle.tryNow()) rendered.current = index;
  if (!hit) rendered.current = -1;
  const waiting = hit !== undefined && rendered.current !== index;
  useEffect(
    () =>
      waiting
        ? hitThrottle.schedule(() => {
            rendered.current = index;
            setTurn((n) => n + 1);
          })
        : undefined,
    [waiting, index],
  );
  return waiting ? undefined : hit;
}
