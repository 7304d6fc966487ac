import { taxonomyVersion } from '../../catalog/taxonomy/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { configVersion } from './store.ts';

const readForMs = 1000;

/** Changes with everything that the answer to a request for a policy depends on. Read once a second, however many agents report. */
export function createConfigMark(db: Db): () => Promise<string> {
  let known: { at: number; mark: Promise<string> } | undefined;
  return () => {
    if (known === undefined || performance.now() - known.at > readForMs) {
      const mark = Promise.all([configVersion(db), taxonomyVersion(db)]).then((versions) => versions.join('.'));
      known = { at: performance.now(), mark };
      // The next heartbeat reads again.
      mark.catch(() => {
        known = undefined;
      });
    }
    return known.mark;
  };
}
