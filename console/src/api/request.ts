import { reportAway, reportHere } from './connection.ts';
import { Problem, ServerAway } from './problem.ts';
import { signInAgain } from './session-ended.ts';

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

interface RequestOptions {
  query?: object | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Sign-in routes answer 401 to a wrong password; that is an answer, not an ended session. */
  plain401?: boolean;
}

const BASE = '/api/v1';
const GATEWAY = new Set([502, 504]);

export function queryString(query: object | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, QueryValue>)) {
    if (value === undefined || value === null || value === '') continue;
    if (Array.isArray(value)) for (const one of value) params.append(name, String(one));
    else params.append(name, String(value));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  try {
    return await fetch(`${BASE}${path}${queryString(options.query)}`, {
      method,
      credentials: 'same-origin',
      headers:
        options.body === undefined ? { accept: 'application/json' } : { accept: 'application/json', 'content-type': 'application/json' },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    reportAway();
    throw new ServerAway();
  }
}

async function readBody(answer: Response): Promise<unknown> {
  if (answer.status === 204 || answer.status === 205) return undefined;
  const text = await answer.text();
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return { detail: text.length < 300 ? text : undefined };
  }
}

/** One request to the service: JSON in, JSON out, a Problem or ServerAway thrown otherwise. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  let answer = await send(method, path, options);
  if (answer.status === 401 && !options.plain401 && (await signInAgain())) answer = await send(method, path, options);
  if (GATEWAY.has(answer.status)) {
    reportAway();
    throw new ServerAway();
  }
  reportHere();
  const body = await readBody(answer);
  if (!answer.ok) throw new Problem(answer.status, (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>);
  return body as T;
}

export const get = <T>(path: string, query?: object, signal?: AbortSignal): Promise<T> => request<T>('GET', path, { query, signal });
export const post = <T>(path: string, body?: unknown, query?: object): Promise<T> => request<T>('POST', path, { body, query });
export const put = <T>(path: string, body?: unknown): Promise<T> => request<T>('PUT', path, { body });
export const patch = <T>(path: string, body: unknown): Promise<T> => request<T>('PATCH', path, { body });
export const remove = <T = void>(path: string, query?: object): Promise<T> => request<T>('DELETE', path, { query });
