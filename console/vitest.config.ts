import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The service worker's registration exists only in a build.
const noServiceWorker = {
  name: 'no-service-worker',
  resolveId: (id: string) => (id === 'virtual:pwa-register' ? '\0pwa-register' : null),
  load: (id: string) => (id === '\0pwa-register' ? 'export const registerSW = () => async () => {};' : null),
};

export default defineConfig({
  plugins: [react(), noServiceWorker],
  test: {
    name: 'console',
    root: import.meta.dirname,
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['./src/test-setup.ts'],
    testTimeout: 30_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
});
