import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';
import { reportUnreachable, reportReachable } from './connection.ts';
import { Problem, ServerUnreachable } from './problem.ts';
import { waitForSignIn } from './session-ended.ts';

/** Routes whose 401 is an answer ("wrong password", "nobody is signed in"), not an ended session. */
const EXPECTED_401 = /\/api\/v1\/auth\/(me|login|logout|bootstrap|password)$/;
const GATEWAY = new Set([502, 504]);

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    reportUnreachable();
    throw new ServerUnreachable();
  }
}

async function toProblem(answer: Response): Promise<Problem> {
  const text = await answer.text();
  try {
    return new Problem(answer.status, JSON.parse(text) as Record<string, unknown>);
  } catch {
    return new Problem(answer.status, {});
  }
}

/**
 * One request to the service. Answers only successes; throws a Problem for what the service refuses and ServerAway when nobody answers.
 * A session that ended is asked for once and the request sent again, so nothing a person typed is lost. Safe to call many times at once.
 */
export async function transport(request: Request): Promise<Response> {
  const again = request.clone();
  let answer = await send(request);
  if (answer.status === 401 && !EXPECTED_401.test(new URL(request.url).pathname) && (await waitForSignIn())) answer = await send(again);
  if (GATEWAY.has(answer.status)) {
    reportUnreachable();
    throw new ServerUnreachable();
  }
  reportReachable();
  if (!answer.ok) throw await toProblem(answer);
  return answer;
}

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
