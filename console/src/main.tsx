import '@mantine/core/styles.layer.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider, QueryClient } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/tokens.css';
import './theme/base.css';
import './theme/mantine-parts.css';
import { App } from './app.tsx';
import { cssVariablesResolver, theme } from './theme/theme.ts';
import { onServerReturn } from './api/connection.ts';
import { Problem, ServerUnreachable } from './api/problem.ts';

/** Server answers in memory. A problem the service words is final; a missing server is knocked at by connection.ts, not by each query. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => !(error instanceof Problem || error instanceof ServerUnreachable) && failures < 2,
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  onServerReturn(() => void client.invalidateQueries());
  return client;
}

// Styles made at run time carry the nonce the server put into this page.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
if (nonce) setNonce(nonce);

const colorSchemes = localStorageColorSchemeManager({ key: 'catalog.color-scheme' });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={createQueryClient()}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
