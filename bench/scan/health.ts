import { Agent, get } from 'node:http';
import { startApp } from '../api/service.ts';

export interface HealthProbe {
  /** Sends requests until the work is done. The times of all calls are collected. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Response times in milliseconds. */
  latency(): { p99: number; max: number; count: number };
  close(): void;
}

const intervalMs = 10;

/** Starts an app on the same database and machine, and requests GET /health over one connection. */
export async function startHealthProbe(address: object, configDir: string): Promise<HealthProbe> {
  const { app, url } = await startApp(address, configDir);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const request = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      get(`${url}/api/v1/health`, { agent }, (response) => {
        response.resume();
        response.once('end', () =>
          response.statusCode === 200 ? resolve(performance.now() - start) : reject(new Error(`Health returned ${response.statusCode}.`)),
        );
      }).once('error', reject);
    });
  // Warms up the JIT compiler.
  for (let turn = 0; turn < 50; turn += 1) await request();
  const times: number[] = [];
  return {
    async during(work) {
      let busy = true;
      const probing = (async () => {
        while (busy) {
          times.push(await request());
          await new Promise((resolve) => setTimeout(resolve, intervalMs));
        }
      })();
      try {
        return await work;
      } finally {
        busy = false;
        await probing;
      }
    },
    latency() {
      const sorted = times.toSorted((a, b) => a - b);
      return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, max: sorted.at(-1) ?? 0, count: sorted.length };
    },
    close() {
      agent.destroy();
      app.disconnect();
      app.kill();
    },
  };
}
