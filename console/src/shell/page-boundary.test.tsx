import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { onServerReturn, retryNow } from '../api/connection.ts';
import { PageBoundary } from './page-boundary.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Broken({ message }: { message: string }): never {
  throw new Error(message);
}
const show = (message: string) =>
  render(
    <PageBoundary path="/jobs">
      <Broken message={message} />
    </PageBoundary>,
  );

test('a page that could not be loaded reloads when the server responds', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => new Response('{}'));
  show('Unable to preload CSS for /assets/search-page.css');
  expect(screen.getByRole('heading').textContent).toBe('The server is not responding');
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test('it does not reload in a loop', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  sessionStorage.setItem('catalog.reloaded-at', String(Date.now()));
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  const fetched = vi.fn(async () => new Response('{}'));
  vi.stubGlobal('fetch', fetched);
  show('Failed to fetch dynamically imported module: /assets/jobs-page.js');
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  await Promise.resolve();
  expect(reload).not.toHaveBeenCalled();
});

test('a page that works is not reloaded because another one of its section could not be loaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  let responds = false;
  vi.stubGlobal('fetch', async () => new Response('{}', { status: responds ? 200 : 502 }));
  const { rerender } = show('Unable to preload CSS for /assets/ages.css');
  rerender(
    <PageBoundary path="/reports">
      <input aria-label="Name" />
    </PageBoundary>,
  );
  responds = true;
  const returned = vi.fn();
  const unsubscribe = onServerReturn(returned);
  retryNow();
  await waitFor(() => expect(returned).toHaveBeenCalled());
  unsubscribe();
  expect(reload).not.toHaveBeenCalled();
});

test('any other error is shown with a way to reload', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  show('cannot read x');
  expect(screen.getByRole('heading').textContent).toBe('This page stopped working');
  expect(screen.getByText('cannot read x')).toBeDefined();
});

test('an error of one page does not stand in place of another page of the same section', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { rerender } = render(
    <PageBoundary path="/reports/ages">
      <Broken message="cannot read x" />
    </PageBoundary>,
  );
  rerender(
    <PageBoundary path="/reports">
      <p>All reports</p>
    </PageBoundary>,
  );
  expect(screen.getByText('All reports')).toBeDefined();
});
