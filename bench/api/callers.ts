import { Agent, get } from 'node:http';
import { spread, type Spread } from '../search/timing.ts';

/** Asks over kept connections, as a browser does. */
export type Ask = (path: string) => Promise<number>;

export function createAsk(url: string, key: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (path) =>
    new Promise((resolve, reject) => {
      get(`${url}/api/v1${path}`, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode} ${body.slice(0, 200)}`));
          else resolve((JSON.parse(body) as { total: number }).total);
        });
      }).on('error', reject);
    });
}

/** Every caller asks the questions in turn, beginning at another one; each answer's time counts. */
export async function together(callers: number, each: number, questions: readonly string[], ask: Ask): Promise<Spread> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; turn < each; turn += 1) {
        const start = performance.now();
        await ask(questions[(caller * 7 + turn) % questions.length]!);
        times.push(performance.now() - start);
      }
    }),
  );
  return spread(times);
}
