import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadUpdate, watchForUpdate } from './notice-bars.tsx';

/** A fake registration whose worker can be slow or replaced; e2e/failures.test.ts uses the real one. */
function fakeRegistration(workers: { waiting?: ServiceWorker; installing?: ServiceWorker; active?: ServiceWorker }) {
  return Object.assign(new EventTarget(), {
    waiting: null,
    installing: null,
    active: null,
    update: vi.fn(async () => {}),
    unregister: vi.fn(async () => true),
    ...workers,
  });
}
const worker = (state: string) => Object.assign(new EventTarget(), { state, postMessage: vi.fn() }) as unknown as ServiceWorker;
const become = (one: ServiceWorker, state: string) => {
  Object.assign(one, { state });
  one.dispatchEvent(new Event('statechange'));
};
const registration = (fake: ReturnType<typeof fakeRegistration>) => fake as unknown as ServiceWorkerRegistration;
const watch = async (fake: ReturnType<typeof fakeRegistration>) => {
  const offer = vi.fn();
  await watchForUpdate({ register: async () => registration(fake) } as unknown as ServiceWorkerContainer, offer);
  return offer;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first installation is not an update; a waiting newer worker is offered, even if it was installed before the listener', async () => {
  const first = worker('installing');
  const empty = fakeRegistration({ installing: first });
  const offer = await watch(empty);
  Object.assign(empty, { installing: null, waiting: first });
  become(first, 'installed');
  expect(offer).not.toHaveBeenCalled();

  Object.assign(empty, { waiting: null, active: first, installing: worker('installing') });
  empty.dispatchEvent(new Event('updatefound'));
  const next = empty.installing as unknown as ServiceWorker;
  Object.assign(empty, { installing: null, waiting: next });
  become(next, 'installed');
  expect(offer).toHaveBeenCalledWith(empty);

  expect(await watch(fakeRegistration({ active: worker('activated'), waiting: worker('installed') }))).toHaveBeenCalled();
});

test('an open page checks for updates when it becomes visible, at most once an hour, and tolerates a failed check', async () => {
  const fake = fakeRegistration({ active: worker('activated') });
  fake.update.mockRejectedValueOnce(new TypeError('no network'));
  await watch(fake);
  const showPage = () => document.dispatchEvent(new Event('visibilitychange'));
  showPage();
  expect(fake.update).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(3_600_000);
  showPage();
  showPage();
  expect(fake.update).toHaveBeenCalledTimes(1);
});

test('loading waits for the newer worker to activate, and unregisters it if it does not or becomes redundant', async () => {
  const reload = vi.fn();
  const quick = worker('installed');
  const taken = fakeRegistration({ waiting: quick });
  const loading = loadUpdate(registration(taken), reload);
  expect(quick.postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' });
  expect(reload).not.toHaveBeenCalled();
  become(quick, 'activating');
  await loading;
  expect([reload.mock.calls.length, taken.unregister.mock.calls.length]).toEqual([1, 0]);

  const stuck = fakeRegistration({ waiting: worker('installed') });
  const given = loadUpdate(registration(stuck), reload);
  await vi.advanceTimersByTimeAsync(3000);
  await given;
  expect([reload.mock.calls.length, stuck.unregister.mock.calls.length]).toEqual([2, 1]);

  const old = worker('installed');
  const replaced = fakeRegistration({ waiting: old });
  const again = loadUpdate(registration(replaced), reload);
  become(old, 'redundant');
  await again;
  expect([reload.mock.calls.length, replaced.unregister.mock.calls.length]).toEqual([3, 1]);

  const elsewhere = fakeRegistration({ active: worker('activated') });
  await loadUpdate(registration(elsewhere), reload);
  expect([reload.mock.calls.length, elsewhere.unregister.mock.calls.length]).toEqual([4, 0]);
});
