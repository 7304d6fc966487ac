import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { runCommand, type Service, startService, stopService, temporaryFolder, until } from '../server/test/service.ts';
import { openBrowser, type StorageState } from './browser.ts';
import { ADMIN, type Client, createAdministrator, createClient, type PreparedState, signIn } from './client.ts';
import { picturesOnly } from './page-checks.ts';
import { writeSampleLibrary } from './sample-library.ts';

export interface TestEnvironment {
  service: Service;
  browser: Browser;
  /** The base URL of the console. */
  base: string;
  media: string;
  folder: string;
  /** Number of files in the sample library. */
  files: number;
  storageState: StorageState;
  /** Sends a request as the administrator. */
  api: Client['api'];
  /** Creates a library in its own folder and waits until it is scanned and indexed. */
  addLibrary(name: string, files: Record<string, string | Uint8Array>, extra?: object): Promise<{ id: string; root: string }>;
  /** Starts a scan and waits until it has ended; returns its status. */
  scan: Client['scan'];
  waitForScan: Client['waitForScan'];
  close(): Promise<void>;
}

interface EnvironmentOptions {
  env?: Record<string, string>;
  /** Scan the sample library with these settings, instead of starting from the state that global-setup.ts prepared. */
  fresh?: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    prepared: PreparedState | null;
  }
}

/** Starts the server with the sample library, a browser and a signed-in administrator. */
export async function startEnvironment(options: EnvironmentOptions = {}): Promise<TestEnvironment> {
  const temporary = temporaryFolder();
  const started: (() => Promise<unknown>)[] = [];
  try {
    return await setUp(temporary, options, started);
  } catch (error) {
    // A failed setup must leave nothing running.
    for (const stop of started.reverse()) await stop();
    temporary.remove();
    throw error;
  }
}

async function setUp(
  temporary: ReturnType<typeof temporaryFolder>,
  options: EnvironmentOptions,
  started: (() => Promise<unknown>)[],
): Promise<TestEnvironment> {
  const configDir = path.join(temporary.folder, 'config');
  const prepared = options.fresh ? null : inject('prepared');
  if (prepared) execFileSync('cp', ['-a', prepared.configDir, configDir]);
  const media = prepared?.media ?? path.join(temporary.folder, 'media');
  const files = prepared?.files ?? (await writeSampleLibrary(media)).files;
  // Pictures of the manual show no folders of the machine that takes them.
  const browsed: Record<string, string> = picturesOnly ? { SVC_BROWSE_ROOTS: `${media},${temporary.folder}` } : {};
  const service = await startService(configDir, { MEDIA_PATH: media, ...browsed, ...options.env });
  started.push(() => stopService(service));
  const browser = await openBrowser();
  started.push(() => browser.close());
  const base = service.url.replace('127.0.0.1', 'localhost');
  if (!prepared) await createAdministrator(base);
  const session = await signIn(base, ADMIN);
  const client = createClient(base, session.cookie);
  if (!prepared) await client.createSampleLibrary(media, files);
  const { api, scan, waitForScan, createLibrary } = client;
  return {
    service,
    browser,
    base,
    media,
    folder: temporary.folder,
    files,
    storageState: session.storageState,
    api,
    scan,
    waitForScan,
    async addLibrary(name, contents, extra) {
      const root = path.join(temporary.folder, name);
      for (const [file, text] of Object.entries(contents)) {
        mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
        writeFileSync(path.join(root, file), text);
      }
      const id = await createLibrary(name, root, extra);
      await until(
        async () => (await api('GET', `/search?library=${id}&limit=1`)).body.total === Object.keys(contents).length,
        'the files in the index',
        90_000,
      );
      return { id, root };
    },
    async close() {
      await browser.close();
      await stopService(service);
      const checked = await runCommand(['check'], { ...options.env, SVC_CONFIG_DIR: service.configDir });
      temporary.remove();
      assert.match(checked.output, /All checks passed\./);
    },
  };
}
