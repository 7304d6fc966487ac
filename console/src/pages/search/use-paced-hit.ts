import { useEffect, useRef, useState } from 'react';
import type { SearchHit } from '../../api/types.ts';
import { createPace } from '../../parts/pace.ts';
import { race } from '../../parts/race.ts';

const hitPace = createPace(6);

/**
 * A file whose place stood empty until its page arrived, or that is passed in a leap, is drawn when its turn comes: a few in each frame.
 * What scrolls into view and is known already is drawn at once.
 */
export function usePacedHit(hit: SearchHit | undefined, index: number): SearchHit | undefined {
  const stood = useRef(-1);
  const empty = useRef(-1);
  const [turn, setTurn] = useState(-1);
  if (!hit || (stood.current !== index && race.leaping())) empty.current = index;
  stood.current = index;
  const waits = hit !== undefined && empty.current === index && turn !== index;
  useEffect(() => (waits ? hitPace.wait(() => setTurn(index)) : undefined), [waits, index]);
  return waits ? undefined : hit;
}
