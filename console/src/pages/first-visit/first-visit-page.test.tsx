import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../../test-render.tsx';
import FirstVisitPage from './first-visit-page.tsx';

const ADA = { id: 'u1', username: 'ada', global_role: 'admin' };
const FOLDERS = {
  path: '/mnt',
  parent: null,
  roots: ['/mnt'],
  truncated: false,
  dirs: ['nas', 'photos'].map((name) => ({ name, path: `/mnt/${name}` })),
};
const ANSWERS: Record<string, unknown> = {
  '/api/v1/auth/bootstrap': { user: ADA },
  '/api/v1/auth/me': ADA,
  '/api/v1/fs/browse': FOLDERS,
  '/api/v1/presets': { presets: [] },
};

afterEach(() => vi.unstubAllGlobals());

test('folders of the first visit are walked with the keys of every list', async () => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const answer = ANSWERS[new URL(request.url).pathname];
    return new Response(JSON.stringify(answer ?? {}), { status: answer ? 200 : 404 });
  });
  show(<FirstVisitPage />);
  await userEvent.type(screen.getByLabelText('User name'), 'ada');
  await userEvent.type(screen.getByLabelText('Password'), 'a long harbour sentence 42');
  await userEvent.type(screen.getByLabelText('Password again'), 'a long harbour sentence 42{Enter}');
  const itself = await screen.findByRole('button', { name: /itself/ });
  itself.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('nas');
  await userEvent.keyboard('{End}{Enter}');
  expect(screen.getByLabelText('Or type its path')).toHaveProperty('value', '/mnt/photos');
});
