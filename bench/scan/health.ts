import { fork } from 'node:child_process';
import { Agent, get } from 'node:http';

export interface Health {
  /** Asks every few milliseconds while the work goes on; its times join those of earlier calls. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Milliseconds that 99 of 100 answers took at most, and how many there were. */
  spread(): { p99: number; worst: number; count: number };
  close(): void;
}

const everyMs = 10;

/** A real app process on the same database and the same two cores, asked for GET /health by somebody with one connection. */
export async function startHealth(address: object, configDir: string): Promise<Health> {
  const app = fork(new URL('../api/app-process.ts', import.meta.url), [JSON.stringify(address), configDir]);
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    app.once('message', (message) => resolve(message as { url: string }));
    app.once('exit', (code) => reject(new Error(`The app ended with code ${code}.`)));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = performance.now();
      get(`${url}/api/v1/health`, { agent }, (answer) => {
        answer.resume();
        answer.once('end', () =>
          answer.statusCode === 200 ? resolve(performance.now() - asked) : reject(new Error(`Health answered ${answer.statusCode}.`)),
        );
      }).once('error', reject);
    });
  // The first answers compile code; they are nobody's wait.
  for (let turn = 0; turn < 50; turn += 1) await ask();
  const times: number[] = [];
  return {
    async during(work) {
      let busy = true;
      const asking = (async () => {
        while (busy) {
          times.push(await ask());
          await new Promise((resolve) => setTimeout(resolve, everyMs));
        }
      })();
      try {
        return await work;
      } finally {
        busy = false;
        await asking;
      }
    },
    spread() {
      const sorted = times.toSorted((a, b) => a - b);
      return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, worst: sorted.at(-1) ?? 0, count: sorted.length };
    },
    close() {
      agent.destroy();
      app.disconnect();
      app.kill();
    },
  };
}
