import '@mantine/core/styles.layer.css';
import { DirectionProvider, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/tokens.css';
import './theme/base.css';
import './theme/mantine-overrides.css';
import { onServerReturn } from './api/connection.ts';
import { Problem, ServerUnreachable } from './api/problem.ts';
import { App } from './app.tsx';
import { fetchedCatalogue } from './language/load.ts';
import { preferences } from './shell/preferences.ts';
import { cssVariablesResolver, theme } from './theme/theme.ts';

/** Error responses are not retried; while the server is unreachable, connection.ts probes it instead of each query. */
function createQueryClient(): QueryClient {
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

// Styles created at run time need the nonce of the Content-Security-Policy.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
if (nonce) setNonce(nonce);

const colorSchemes = localStorageColorSchemeManager({ key: 'catalog.color-scheme' });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element');

// The first visit in another language fetches its catalogue and loads the console again.
void fetchedCatalogue().then((fetched) => (fetched ? window.location.reload() : render(root)));

function render(element: HTMLElement): void {
  if (location.hash.length < 2 && preferences().startPage === 'home') history.replaceState(null, '', '#/home');
  createRoot(element).render(
    <StrictMode>
      <DirectionProvider>
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
      </DirectionProvider>
    </StrictMode>,
  );
}
