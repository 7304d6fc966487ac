import { useEffect, useRef, useState } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { createFrameThrottle } from '../../components/frame-throttle.ts';

/** Nobody who reads on meets more new files than this in one frame. */
const hitPace = createFrameThrottle(8);

/** What a place in the list draws: its file at once, or, when a whole screen of files is new, when its turn comes within the next frames. */
export function usePacedHit(hit: SearchHit | undefined, index: number): SearchHit | undefined {
  const drawn = useRef(hit ? index : -1);
  const [, setTurn] = useState(0);
  // While the same files are asked for anew, what stands there is filled where it stands.
  if (hit && drawn.current !== index && hitPace.tryNow()) drawn.current = index;
  if (!hit) drawn.current = -1;
  const waits = hit !== undefined && drawn.current !== index;
  useEffect(
    () =>
      waits
        ? hitPace.schedule(() => {
            drawn.current = index;
            setTurn((n) => n + 1);
          })
        : undefined,
    [waits, index],
  );
  return waits ? undefined : hit;
}
