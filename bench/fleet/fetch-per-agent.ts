import { Agent, request } from 'node:http';

/** Addresses from which the agents connect, as from the offices of a company. */
const offices = 100;
/** One that waits for commands, and one for everything else. */
const perAgent = 2;
/** Short enough that all connections stay below the usual limits of open files. */
const idleMs = 15_000;

/** The parts of a Response that are used here; its streams would take more time than the request. */
type Answer = Pick<Response, 'status' | 'ok' | 'text' | 'arrayBuffer' | 'json'> & { headers: Pick<Headers, 'get'> };

/**
 * A `fetch` that gives each agent its own connections, as on its own machine, and is light enough for ten thousand agents in one process. The
 * one of Node.js looks through the connections of all agents for a free one, which takes longer than the request.
 */
export function fetchPerAgent(): typeof fetch {
  const connections = new Map<string, Agent>();
  return (input, init = {}) => {
    const url = new URL(String(input));
    const id = /\/agents\/([0-9a-f-]{36})\//.exec(url.pathname)?.[1] ?? '';
    const agent =
      connections.get(id) ??
      new Agent({ keepAlive: true, maxSockets: perAgent, timeout: idleMs, localAddress: `127.0.1.${1 + (connections.size % offices)}` });
    connections.set(id, agent);
    return new Promise((resolve, reject) => {
      const { method = 'GET', headers, signal, body } = init;
      const sent = request(url, { agent, method, headers: headers as Record<string, string>, ...(signal ? { signal } : {}) }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const body = Buffer.concat(parts);
          const received: Answer = {
            status: answer.statusCode ?? 500,
            headers: { get: (name) => (answer.headers[name] === undefined ? null : String(answer.headers[name])) },
            text: async () => body.toString('utf8'),
            arrayBuffer: async () => new Uint8Array(body).buffer,
            ok: (answer.statusCode ?? 500) < 400,
            json: async () => JSON.parse(body.toString('utf8')),
          };
          resolve(received as Response);
        });
      });
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  };
}
