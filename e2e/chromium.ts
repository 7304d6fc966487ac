import { existsSync } from 'node:fs';

/** CHROMIUM_PATH or the Chromium of the system. Without one the browser tests are skipped, and `npm test` reports it. */
export const chromiumPath: string | undefined = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => file !== undefined && existsSync(file));
