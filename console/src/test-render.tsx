import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import type { AuthStatus, Principal } from './api/types.ts';
import { useHashLocation, useHashSearch } from './shell/hash-location.ts';
import { SessionProvider, type SessionState } from './shell/session.tsx';
import { theme } from './theme/theme.ts';

const STATUS: AuthStatus = {
  auth_enabled: false,
  users_exist: true,
  mode: 'disabled',
  oidc_enabled: false,
  ldap_enabled: false,
  oidc_providers: [],
  session_hours: 720,
  header_user: null,
};

interface RenderOptions {
  scope?: 'read' | 'write' | 'admin';
  me?: Principal | null;
  mayDownload?: boolean;
}

/** Renders a node inside the theme, router, query client and a session with the given scope. */
export function renderWithProviders(node: ReactNode, { scope = 'admin', me = null, mayDownload = true }: RenderOptions = {}) {
  const rank = { read: 1, write: 2, admin: 3 };
  const session: SessionState = {
    status: STATUS,
    me,
    can: (wanted) => rank[scope] >= rank[wanted],
    mayDownload,
    maySchedule: mayDownload && scope !== 'read',
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } });
  return {
    client,
    ...render(
      <MantineProvider theme={theme} env="test">
        <QueryClientProvider client={client}>
          <Router hook={useHashLocation} searchHook={useHashSearch}>
            <SessionProvider value={session}>{node}</SessionProvider>
          </Router>
        </QueryClientProvider>
      </MantineProvider>,
    ),
  };
}
