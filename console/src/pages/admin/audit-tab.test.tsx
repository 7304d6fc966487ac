import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { AuditTab } from './audit-tab.tsx';

afterEach(() => vi.unstubAllGlobals());

test('an account is called deleted only once all accounts are known', async () => {
  const event = { ts: '2026-11-01T10:00:00Z', event_type: 'logout', username_attempted: null, ip: null, details: null };
  const events = [
    { ...event, id: 1, principal_id: 'ann' },
    { ...event, id: 2, principal_id: 'gone' },
  ];
  const later = Promise.withResolvers<void>();
  const bodies: Record<string, object> = {
    '/api/v1/audit': { events, next_cursor: null },
    '/api/v1/auth/users': [{ id: 'ann', username: 'Ann' }],
    '/api/v1/service-accounts': { items: [] },
    '/api/v1/rbac/groups': [],
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/auth/users') await later.promise;
    return Response.json(bodies[pathname]);
  });
  renderWithProviders(<AuditTab />);
  const people = () => screen.getAllByRole('row').map((row) => row.querySelectorAll('td')[2]?.textContent);
  await screen.findAllByText('Signed out');
  expect(people()).toEqual([undefined, '…', '…']);
  later.resolve();
  await screen.findByText('Deleted account');
  expect(people()).toEqual([undefined, 'Ann', 'Deleted account']);
});

test('events that are listed stay when older ones cannot be loaded', async () => {
  const event = {
    id: 1,
    ts: '2026-11-01T10:00:00Z',
    event_type: 'logout',
    principal_id: null,
    username_attempted: 'ann',
    ip: null,
    details: null,
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.has('cursor')) return Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 });
    return Response.json(pathname === '/api/v1/audit' ? { events: [event], next_cursor: 'more' } : []);
  });
  renderWithProviders(<AuditTab />);
  fireEvent.click(await screen.findByRole('button', { name: 'Load older events' }));
  expect(await screen.findByText('The database is busy.')).toBeTruthy();
  expect(screen.getByText('ann')).toBeTruthy();
});

test('the library of an event and what was done to it are written in words', async () => {
  const details = { action: 'create_scan_path', library_id: '01234567-89ab-cdef-0123-456789abcdef', scan_path_id: null };
  const event = {
    id: 1,
    ts: '2026-11-01T10:00:00Z',
    event_type: 'library_changed',
    principal_id: null,
    username_attempted: 'ann',
    ip: null,
  };
  const bodies: Record<string, object> = {
    '/api/v1/audit': { events: [{ ...event, details }], next_cursor: null },
    '/api/v1/libraries': [{ id: details.library_id, name: 'Photos' }],
  };
  vi.stubGlobal('fetch', async (request: Request) => Response.json(bodies[new URL(request.url).pathname] ?? []));
  renderWithProviders(<AuditTab />);
  expect(await screen.findByText('Action: folder schedule added · Library: Photos')).toBeTruthy();
});
