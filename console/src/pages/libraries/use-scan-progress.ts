import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Scan } from '../../api/types.ts';

/*
 * Live progress of one scan over Server-Sent Events. The browser resumes by itself with the last id it saw.
 * When the stream says done or error, the library's own record is read again.
 */
export function useScanProgress(scanId: string | undefined, active: boolean): Scan | null {
  const [progress, setProgress] = useState<Scan | null>(null);
  const client = useQueryClient();
  useEffect(() => {
    if (!scanId || !active) {
      setProgress(null);
      return;
    }
    const source = new EventSource(`/api/v1/scans/${scanId}/events`);
    const read = (event: MessageEvent<string>) => {
      try {
        setProgress(JSON.parse(event.data) as Scan);
      } catch {
        // A broken line is skipped; the next one comes in a second.
      }
    };
    const finish = (event: Event) => {
      // The stream's own connection errors carry no data and are retried by the browser.
      if (!('data' in event)) return;
      source.close();
      void client.invalidateQueries({ queryKey: ['libraries'] });
      void client.invalidateQueries({ queryKey: ['scans'] });
      void client.invalidateQueries({ queryKey: ['library-stats'] });
      void client.invalidateQueries({ queryKey: ['search'] });
    };
    source.addEventListener('progress', read);
    source.addEventListener('done', finish);
    source.addEventListener('error', finish);
    return () => source.close();
  }, [scanId, active, client]);
  return progress;
}
