import { Agent, get } from 'node:http';
import { spread, type Spread } from '../search/timing.ts';
import { type Connection, openConnection } from './plain-connection.ts';

/** Asks over kept connections, as a browser does. */
export type Ask = (path: string) => Promise<number>;

export function createAsk(url: string, key: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (path) =>
    new Promise((resolve, reject) => {
      get(`${url}/api/v1${path}`, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body = Buffer.concat(parts);
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode} ${body.toString('utf8', 0, 200)}`));
          else resolve(totalIn(body));
        });
      }).on('error', reject);
    });
}

/** The callers share the machine with the service: an answer is read to its end, but only its total is looked at. */
function totalIn(body: Buffer): number {
  const at = body.lastIndexOf('"total":');
  return at < 0 ? Number.NaN : Number.parseInt(body.toString('latin1', at + 8, at + 24), 10);
}

/** Callers on connections of their own, each as cheap as can be. */
export function createCallers(url: string, key: string): Ask & { close(): void } {
  const idle: Connection[] = [];
  const all: Connection[] = [];
  const open = (): Connection => {
    const connection = openConnection(url, key);
    all.push(connection);
    return connection;
  };
  const ask = async (path: string): Promise<number> => {
    const connection = idle.pop() ?? open();
    const { status, bytes } = await connection.get(`/api/v1${path}`);
    idle.push(connection);
    if (status !== 200) throw new Error(`${status} ${bytes.toString('utf8', 0, 600)}`);
    return totalIn(bytes);
  };
  return Object.assign(ask, {
    close(): void {
      for (const connection of all) connection.close();
    },
  });
}

/** The callers share out the questions: each asks its own, one after the other. Each answer's time counts. */
export async function together(callers: number, each: number, questions: readonly string[], ask: Ask): Promise<Spread> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; turn < each; turn += 1) {
        const start = performance.now();
        await ask(questions[(caller * each + turn) % questions.length]!);
        times.push(performance.now() - start);
      }
    }),
  );
  return spread(times);
}
