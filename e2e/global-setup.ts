import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startService, stopService, temporaryFolder } from '../server/test/service.ts';
import { chromiumPath } from './chromium.ts';
import { ADMIN, createAdministrator, createClient, type PreparedState, signIn } from './client.ts';
import { writeSampleLibrary } from './sample-library.ts';

/** Prepares the state that every test file starts from. */
export default async function setup(project: TestProject): Promise<() => void> {
  if (!chromiumPath) {
    project.provide('prepared', null);
    return () => {};
  }
  const { folder, remove } = temporaryFolder();
  try {
    project.provide('prepared', await prepareState(folder));
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}

/** Scans the sample library once, in `folder`, for all test files. */
async function prepareState(folder: string): Promise<PreparedState> {
  const media = path.join(folder, 'media');
  const { files } = await writeSampleLibrary(media);
  const configDir = path.join(folder, 'config');
  const service = await startService(configDir, { MEDIA_PATH: media });
  try {
    const base = service.url.replace('127.0.0.1', 'localhost');
    await createAdministrator(base);
    await createClient(base, (await signIn(base, ADMIN)).cookie).createSampleLibrary(media, files);
  } finally {
    await stopService(service);
  }
  return { configDir, media, files };
}
