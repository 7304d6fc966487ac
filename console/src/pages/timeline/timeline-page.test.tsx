import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { currentSearch, navigate } from '../../shell/hash-location.ts';
import { renderWithProviders } from '../../test-render.tsx';
import TimelinePage from './timeline-page.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  navigate('/');
});

test('the filter keeps the focus and every letter while somebody types slowly, and follows the address', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 503, title: 'Busy' }, { status: 503 }));
  navigate('/timeline');
  renderWithProviders(<TimelinePage />);
  const field = () => screen.getByLabelText('Filter the timeline');
  await userEvent.click(field());
  await userEvent.keyboard('b');
  await vi.waitFor(() => expect(currentSearch()).toBe('q=b'));
  await userEvent.keyboard('oats');
  await vi.waitFor(() => expect(currentSearch()).toBe('q=boats'));
  expect(field()).toHaveProperty('value', 'boats');
  expect(document.activeElement).toBe(field());
  navigate('/timeline?q=harbour');
  await vi.waitFor(() => expect(field()).toHaveProperty('value', 'harbour'));
});
