/** How fast files are read for their checksums: what the fleet page shows as the speed of an agent. */
import { type Hasher, quickHashWholeFileBytes } from '@catalog/scanner';

export interface ReadMeter {
  /** The same hasher, with its bytes counted. */
  count(hasher: Hasher): Hasher;
  /** Bytes per second since the last call. */
  take(): number;
}

export function createReadMeter(now: () => number = () => performance.now()): ReadMeter {
  let bytes = 0;
  let since = now();
  return {
    count: (hasher) => ({
      async hash(requests) {
        const results = await hasher.hash(requests);
        results.forEach((result, index) => {
          const size = requests[index]?.size ?? 0;
          if (result.error === undefined) bytes += result.content === null ? Math.min(size, quickHashWholeFileBytes) : size;
        });
        return results;
      },
      close: () => hasher.close(),
    }),
    take() {
      const seconds = (now() - since) / 1000;
      const rate = seconds > 0 ? Math.round(bytes / seconds) : 0;
      bytes = 0;
      since = now();
      return rate;
    },
  };
}
