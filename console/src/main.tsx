import '@mantine/core/styles.layer.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/mantine-parts.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { cssVariablesResolver, theme } from './theme/theme.ts';

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
