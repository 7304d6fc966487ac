import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';
import { transport } from './transport.ts';

/** The typed client: every path, parameter and body is checked against the service's own document. */
export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  credentials: 'same-origin',
  fetch: transport,
});

/** The body of an answer; the transport has already thrown for anything else. */
export async function body<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}
