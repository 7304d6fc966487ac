import { transport } from './transport.ts';

/** For routes the document does not describe yet: a plain JSON request. */
async function request<T>(
  method: string,
  path: string,
  options: { query?: object | undefined; body?: unknown; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const answer = await transport(
    new Request(new URL(`/api/v1${path}${queryString(options.query)}`, location.origin), {
      method,
      credentials: 'same-origin',
      headers:
        options.body === undefined ? { accept: 'application/json' } : { accept: 'application/json', 'content-type': 'application/json' },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
    }),
  );
  const text = await answer.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

export function queryString(query: object | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}) as [string, unknown][]) {
    if (value === undefined || value === null || value === '') continue;
    if (Array.isArray(value)) for (const one of value) params.append(name, String(one));
    else params.append(name, String(value));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

export const get = <T>(path: string, query?: object, signal?: AbortSignal): Promise<T> => request<T>('GET', path, { query, signal });
export const post = <T>(path: string, body?: unknown, query?: object): Promise<T> => request<T>('POST', path, { body, query });
export const patch = <T>(path: string, body: unknown): Promise<T> => request<T>('PATCH', path, { body });
export const remove = <T = void>(path: string, query?: object): Promise<T> => request<T>('DELETE', path, { query });
