import createClient from 'openapi-fetch';
import { reportReachable, reportUnreachable } from './connection.ts';
import { Problem, ServerUnreachable } from './problem.ts';
import type { paths } from './schema.d.ts';
import { waitForSignIn } from './session-ended.ts';

/** On these routes a 401 means "wrong password" or "not signed in", not that the session ended. */
const EXPECTED_401 = /\/api\/v1\/auth\/(me|login|logout|bootstrap|password|passkeys\/sign-in)$/;
const GATEWAY_ERRORS = new Set([502, 504]);

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    reportUnreachable();
    throw new ServerUnreachable();
  }
}

async function toProblem(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    return new Problem(response.status, JSON.parse(text) as Record<string, unknown>);
  } catch {
    // A proxy in front of the server may send HTML; the status alone still gives a message.
    return new Problem(response.status, {});
  }
}

/**
 * Sends one request. Resolves only on success; throws a Problem for an error response and ServerUnreachable when there is no response.
 * If the session has ended, it asks the user to sign in once and resends the request, so that no input is lost. Safe to call concurrently.
 */
export async function transport(request: Request): Promise<Response> {
  const retry = request.clone();
  let response = await send(request);
  if (response.status === 401 && !EXPECTED_401.test(new URL(request.url).pathname) && (await waitForSignIn())) response = await send(retry);
  if (GATEWAY_ERRORS.has(response.status)) {
    reportUnreachable();
    throw new ServerUnreachable();
  }
  reportReachable();
  if (!response.ok) throw await toProblem(response);
  return response;
}

/** Every path, parameter and body is checked against the server's OpenAPI document. */
export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  credentials: 'same-origin',
  fetch: transport,
});

/** The response body. It is always present, because `transport` throws for anything but success. */
export async function body<T>(response: Promise<{ data?: T }>): Promise<T> {
  return (await response).data as T;
}
