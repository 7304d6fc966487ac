import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { mockApi } from './dev/mock-plugin.ts';

// The server replaces __CSP_NONCE__ in index.html on every request; styles created at run time use the same nonce.
// CATALOG_API points the development server at a running server; without it the mock API is used.
export default defineConfig(({ command }) => {
  const api = process.env['CATALOG_API'];
  return {
    root: import.meta.dirname,
    base: '/',
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      sourcemap: false,
      chunkSizeWarningLimit: 800,
      // Bundles the small shared modules into one chunk, so that the first visit needs one request instead of thirty.
      // Dialogs, menus, tables and the requests of later pages are left out, because a first visit needs neither them nor their libraries.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                name: 'shared',
                test: /console\/src\/(components(?!\/(form|confirm-dialog|loaded-menu|path-text|table|tabs)\b)|format(?!\/slugify\b)|api(?!\/(directory|duplicates|factors|fleet|integrity|permissions|providers|schedules)\b)|language)\//,
              },
            ],
          },
        },
      },
    },
    server: api ? { proxy: { '/api': { target: api, changeOrigin: false } } } : {},
    plugins: [
      react(),
      VitePWA({
        registerType: 'prompt',
        injectRegister: false,
        includeAssets: ['icon.svg', 'color-scheme.js'],
        manifest: {
          name: 'Catalog',
          short_name: 'Catalog',
          description: 'Find any file. Know why it is there.',
          theme_color: '#f6f5f2',
          background_color: '#f6f5f2',
          display: 'standalone',
          start_url: '/',
          icons: [
            { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
            { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
            { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
          ],
        },
        workbox: {
          globPatterns: ['**/*.{js,css,html,svg,json}'],
          navigateFallback: '/index.html',
          navigateFallbackDenylist: [/^\/api\//, /^\/docs(\/|$)/, /^\/health/],
          cleanupOutdatedCaches: true,
        },
      }),
      ...(command === 'serve' && !api ? [mockApi()] : []),
    ],
  };
});
