import { ServiceProblem } from './client.ts';

export type Log = (line: string) => void;

const longestPause = 300;

/** Runs `work` until the end; it returns the seconds until its next turn. After a failure the pause doubles, up to five minutes. */
export async function repeat(signal: AbortSignal, log: Log, work: () => Promise<number>): Promise<void> {
  let backoff = 1;
  let lastMessage = '';
  while (!signal.aborted) {
    let seconds = 0;
    try {
      seconds = await work();
      backoff = 1;
      lastMessage = '';
    } catch (error) {
      if (signal.aborted) return;
      const message = describe(error);
      if (message !== lastMessage) log(message);
      lastMessage = message;
      const asked = error instanceof ServiceProblem ? error.retryAfterSeconds : null;
      // Agents that were refused together do not come back together.
      seconds = asked === null ? backoff * (0.8 + Math.random() * 0.4) : asked * (1 + Math.random());
      backoff = Math.min(longestPause, backoff * 2);
    }
    await pause(seconds, signal);
  }
}

function describe(error: unknown): string {
  if (error instanceof ServiceProblem) return `The service refused a request: ${error.message}`;
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const reason = `${error instanceof Error ? error.message : String(error)}${cause}`;
  return `${reason}${reason.endsWith('.') ? '' : '.'} Trying again.`;
}

/** Ends early, without an error, when the agent stops. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
  });
}
