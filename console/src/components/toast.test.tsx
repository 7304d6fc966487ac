import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../test-render.tsx';
import { ToastRegion, toast, undoLast } from './toast.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  renderWithProviders(<ToastRegion />);
});
afterEach(() => void vi.useRealTimers());
const later = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test('a toast disappears after 6 s; one with Undo after 15 s', () => {
  act(() => toast('Saved'));
  later(6000);
  expect(screen.queryByText('Saved')).toBeNull();
  act(() => toast('Tag added', () => {}));
  later(14_000);
  expect(screen.getByText('Tag added')).toBeTruthy();
  later(1000);
  expect(screen.queryByText('Tag added')).toBeNull();
});

test('a focused toast stays, and Undo runs once', () => {
  const undo = vi.fn();
  act(() => toast('Tag added', undo));
  screen.getByRole('button', { name: 'Undo' }).focus();
  later(60_000);
  act(() => screen.getByRole('button', { name: 'Undo' }).click());
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Tag added')).toBeNull();
  expect(undoLast()).toBe(false);
});

test('an Undo that fails says so and is offered again', async () => {
  const undo = vi.fn(async () => {});
  undo.mockRejectedValueOnce(new Error('The server is not responding.'));
  act(() => toast('Rule removed', undo));
  await act(async () => screen.getByRole('button', { name: 'Undo' }).click());
  expect(screen.getByText('Could not undo. The server is not responding.')).toBeTruthy();
  await act(async () => screen.getByRole('button', { name: 'Undo' }).click());
  expect(undo).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
