import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Library, Scan } from '../../api/types.ts';

/*
 * A scan told live over Server-Sent Events; the browser resumes by itself with the last id it saw.
 *   progress  the walk moves: shown at once
 *   done      the walk is over: the library's own record is read again, and the stream goes on
 *   stages    contents, pictures and the index move: written into the library's record
 *   error     with words, the scan failed; without words the connection broke, or, after done, the service has told everything
 */
type StagesEvent = Pick<NonNullable<Library['last_scan']>, 'stages' | 'backpressure'> & { library_id: string };

/** A broken line is skipped; the next one comes in a second. */
function parseEvent<T>(event: Event, use: (told: T) => void): void {
  try {
    use(JSON.parse((event as MessageEvent<string>).data) as T);
  } catch {}
}

function refetch(client: QueryClient): void {
  for (const queryKey of [['libraries'], ['scans'], ['library-stats'], ['search']]) void client.invalidateQueries({ queryKey });
}

function updateStages(client: QueryClient, { library_id, stages, backpressure }: StagesEvent): void {
  client.setQueryData<Library[]>(['libraries'], (all) =>
    all?.map((one) => (one.id === library_id && one.last_scan ? { ...one, last_scan: { ...one.last_scan, stages, backpressure } } : one)),
  );
}

const FINAL_REFETCH_MS = 5_000;

export function useScanProgress(scanId: string | undefined, active: boolean): Scan | null {
  const [progress, setProgress] = useState<Scan | null>(null);
  const client = useQueryClient();
  useEffect(() => {
    if (!scanId || !active) {
      setProgress(null);
      return;
    }
    const source = new EventSource(`/api/v1/scans/${scanId}/events`);
    let walked = false;
    let later: ReturnType<typeof setTimeout> | undefined;
    source.addEventListener('progress', (event) => parseEvent<Scan>(event, setProgress));
    source.addEventListener('stages', (event) => parseEvent<StagesEvent>(event, (told) => updateStages(client, told)));
    source.addEventListener('done', () => {
      walked = true;
      refetch(client);
    });
    source.addEventListener('error', (event) => {
      const failed = 'data' in event;
      // A connection that broke is opened again by the browser.
      if (!failed && !walked) return;
      source.close();
      refetch(client);
      // The last files may still be on their way into the index.
      later = setTimeout(() => refetch(client), FINAL_REFETCH_MS);
    });
    return () => {
      clearTimeout(later);
      source.close();
    };
  }, [scanId, active, client]);
  return progress;
}
