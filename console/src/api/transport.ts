import { reportAway, reportHere } from './connection.ts';
import { Problem, ServerAway } from './problem.ts';
import { signInAgain } from './session-ended.ts';

/** Routes whose 401 is an answer ("wrong password", "nobody is signed in"), not an ended session. */
const ANSWERS_401 = /\/api\/v1\/auth\/(me|login|logout|bootstrap|password)$/;
const GATEWAY = new Set([502, 504]);

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    reportAway();
    throw new ServerAway();
  }
}

async function problemOf(answer: Response): Promise<Problem> {
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
  if (answer.status === 401 && !ANSWERS_401.test(new URL(request.url).pathname) && (await signInAgain())) answer = await send(again);
  if (GATEWAY.has(answer.status)) {
    reportAway();
    throw new ServerAway();
  }
  reportHere();
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}
