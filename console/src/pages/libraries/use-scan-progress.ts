import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Library, Scan } from '../../api/types.ts';

/*
 * Live progress of a scan by Server-Sent Events; the browser reconnects with the last event ID.
 *   progress  progress of the walk, shown immediately
 *   done      the walk is done: the library is refetched, and the stream continues
 *   stages    progress of contents, thumbnails and index, written into the cached library
 *   error     with data: the scan failed; without data: the connection broke or, after done, the server closed the finished stream.
 *             The browser gives up after an error response, such as that of a proxy while the server restarts; then it is opened again
 */
type StagesEvent = Pick<NonNullable<Library['last_scan']>, 'stages' | 'backpressure'> & { library_id: string };

function parseEvent<T>(event: Event, use: (data: T) => void): void {
  try {
    use(JSON.parse((event as MessageEvent<string>).data) as T);
  } catch {
    // An invalid event is skipped; the next one follows within a second.
  }
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
const REOPEN_MS = 5_000;
const CLOSED = 2;

export function useScanProgress(scanId: string | undefined, active: boolean): Scan | null {
  const [progress, setProgress] = useState<Scan | null>(null);
  const [opened, setOpened] = useState(0);
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened again after the browser gave up
  useEffect(() => {
    if (!scanId || !active) {
      setProgress(null);
      return;
    }
    const source = new EventSource(`/api/v1/scans/${scanId}/events`);
    let walkDone = false;
    let later: ReturnType<typeof setTimeout> | undefined;
    source.addEventListener('progress', (event) => parseEvent<Scan>(event, setProgress));
    source.addEventListener('stages', (event) => parseEvent<StagesEvent>(event, (data) => updateStages(client, data)));
    source.addEventListener('done', () => {
      walkDone = true;
      refetch(client);
    });
    source.addEventListener('error', (event) => {
      const failed = 'data' in event;
      if (!failed && !walkDone) {
        if (source.readyState === CLOSED) later = setTimeout(() => setOpened((n) => n + 1), REOPEN_MS);
        return;
      }
      source.close();
      refetch(client);
      // The last files may not be in the index yet.
      later = setTimeout(() => refetch(client), FINAL_REFETCH_MS);
    });
    return () => {
      clearTimeout(later);
      source.close();
    };
  }, [scanId, active, client, opened]);
  return progress;
}
