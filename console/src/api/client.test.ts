import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { transport } from './client.ts';
import { errorMessage, Problem, ServerUnreachable } from './problem.ts';
import { finishSignIn, setSessionActive, waitForSignIn } from './session-ended.ts';

const request = (path = '/api/v1/items/1', body?: unknown) =>
  transport(new Request(new URL(path, 'http://localhost'), body === undefined ? {} : { method: 'PATCH', body: JSON.stringify(body) }));
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

const fetched = vi.fn<(request: Request) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
});
afterEach(() => {
  setSessionActive(false);
  vi.unstubAllGlobals();
});

test('an error response keeps its message, code and field errors', async () => {
  fetched.mockResolvedValue(
    json(422, {
      title: 'Wrong',
      status: 422,
      code: 'validation_failed',
      errors: [{ loc: ['body', 'name'], msg: 'Choose a name.', type: 'missing' }],
    }),
  );
  const problem = await request().catch((e: unknown) => e);
  expect(problem).toBeInstanceOf(Problem);
  expect((problem as Problem).field('name')).toBe('Choose a name.');
  expect(errorMessage(problem)).toBe('Choose a name.');
});

test('an id or token of a wrong form is a link that leads nowhere', async () => {
  fetched.mockResolvedValue(
    json(422, { status: 422, code: 'validation_failed', errors: [{ loc: ['path', 'item_id'], msg: 'must match format "uuid"' }] }),
  );
  const problem = (await request().catch((e: unknown) => e)) as Problem;
  expect([problem.status, problem.code, errorMessage(problem)]).toEqual([404, 'not_found', 'There is nothing at this address.']);
});

test('a missing response is distinguished from an error response', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(request()).rejects.toBeInstanceOf(ServerUnreachable);
});

test('when the session ends during an edit, the user signs in once and the edits are sent again', async () => {
  setSessionActive(true);
  const bodies: string[] = [];
  fetched.mockImplementation(async (request) => {
    bodies.push(await request.text());
    return bodies.length <= 2 ? json(401, {}) : json(200, { ok: true });
  });
  const first = request('/api/v1/items/1', { tags: ['a'] });
  const second = request('/api/v1/items/2', { tags: ['b'] });
  const signIn = waitForSignIn();
  await vi.waitFor(() => expect(bodies).toHaveLength(2));
  finishSignIn(true);
  await signIn;
  expect((await first).status).toBe(200);
  expect((await second).status).toBe(200);
  expect(bodies.slice(2).sort()).toEqual(bodies.slice(0, 2).sort());
});

test('a wrong password does not count as an ended session', async () => {
  setSessionActive(true);
  fetched.mockResolvedValue(json(401, { detail: 'Name or password is wrong.' }));
  await expect(request('/api/v1/auth/login')).rejects.toThrow('Name or password is wrong.');
  expect(fetched).toHaveBeenCalledOnce();
});
