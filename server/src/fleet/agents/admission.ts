/**
 * How many routine requests of agents (heartbeats, settings, polls) one process works on at a time. Others are refused before anything is
 * read for them, with a time after which to come back: when more arrive than the process can do, working on all of them would let every one
 * of them end too late and be sent again, and leave no time for changes. A poll that only waits does not count.
 */
import { problem } from '../../platform/problem.ts';
import { createComeback } from './comeback.ts';

export interface Admission {
  /** Returns a function that ends the work; calling it again does nothing. */
  enter(): () => void;
}

/** Short enough that an agent counts as connected and takes part in a rollout although it was refused once or twice. */
const longestSeconds = 90;

export function createAdmission({ most = 100, comeback = createComeback(longestSeconds) } = {}): Admission {
  let working = 0;
  return {
    enter() {
      if (working >= most) throw problem('agents_busy', undefined, { reason: 'busy', retryAfter: comeback.refused() });
      working += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        working -= 1;
        comeback.served();
      };
    },
  };
}
