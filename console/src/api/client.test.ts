import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem, ServerUnreachable, errorMessage } from './problem.ts';
import { finishSignIn, setSessionActive, waitForSignIn } from './session-ended.ts';
import { transport } from './client.ts';

const ask = (path = '/api/v1/items/1', body?: unknown) =>
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

test('a refusal keeps the sentence, the code and the fields of the service', async () => {
  fetched.mockResolvedValue(
    json(422, {
      title: 'Wrong',
      status: 422,
      code: 'validation_failed',
      errors: [{ loc: ['body', 'name'], msg: 'Choose a name.', type: 'missing' }],
    }),
  );
  const problem = await ask().catch((e: unknown) => e);
  expect(problem).toBeInstanceOf(Problem);
  expect((problem as Problem).field('name')).toBe('Choose a name.');
  expect(errorMessage(problem)).toBe('Choose a name.');
});

test('nobody at the other end is told apart from a refusal', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(ask()).rejects.toBeInstanceOf(ServerUnreachable);
});

test('a session that ends in the middle of an edit is asked for once and the edit sent again', async () => {
  setSessionActive(true);
  const bodies: string[] = [];
  fetched.mockImplementation(async (request) => {
    bodies.push(await request.text());
    return bodies.length <= 2 ? json(401, {}) : json(200, { ok: true });
  });
  const first = ask('/api/v1/items/1', { tags: ['a'] });
  const second = ask('/api/v1/items/2', { tags: ['b'] });
  const question = waitForSignIn();
  await vi.waitFor(() => expect(bodies).toHaveLength(2));
  finishSignIn(true);
  await question;
  expect((await first).status).toBe(200);
  expect((await second).status).toBe(200);
  expect(bodies.slice(2).sort()).toEqual(bodies.slice(0, 2).sort());
});

test('a wrong password is an answer, not an ended session', async () => {
  setSessionActive(true);
  fetched.mockResolvedValue(json(401, { detail: 'Name or password is wrong.' }));
  await expect(ask('/api/v1/auth/login')).rejects.toThrow('Name or password is wrong.');
  expect(fetched).toHaveBeenCalledOnce();
});
