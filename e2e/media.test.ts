import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { chromiumPath, openPage } from './browser.ts';
import { startEnvironment, signIn, type TestEnvironment } from './test-environment.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const SECONDS = 30;

/** A film with a picture and a tone, large enough that a browser does not fetch it whole at once. */
function record(root: string): void {
  const make = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { cwd: root });
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`];
  const noise = ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=6:duration=${SECONDS}`];
  make(
    ...noise,
    ...tone,
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-b:v',
    '2M',
    '-c:a',
    'libopus',
    'harbour film.webm',
  );
  make(...tone, '-c:a', 'pcm_s16le', 'harbour tone.wav');
}

// The film and the sound are made by ffmpeg; without it there is nothing to play (`npm test` installs it where it may).
// `npm test` installs Chromium and ffmpeg on Debian; elsewhere it says that these are left out without them.
describe.runIf(chromiumPath && hasFfmpeg)('sound and film in a real browser', () => {
  let env: TestEnvironment;
  let ids: Record<string, string>;
  beforeAll(async () => {
    env = await startEnvironment();
    const { id, root } = await env.addLibrary('Tapes', { 'readme.txt': 'Two recordings.' });
    record(root);
    const scan = await env.api('POST', `/libraries/${id}/scan`);
    expect(await env.waitForScan(scan.body.scan_id)).toBe('finished');
    const found = async () =>
      (await env.api('GET', `/search?library=${id}&limit=10`)).body.hits as { id: string; filename: string; duration?: number }[];
    await until(async () => (await found()).filter((hit) => hit.duration).length === 2, 'the lengths of both recordings', 90_000);
    ids = Object.fromEntries((await found()).map((hit) => [path.extname(hit.filename), hit.id]));
  }, 240_000);
  afterAll(() => env?.close());

  /** The player of a file's own page, and what the browser asked the service for. */
  async function open(extension: string, tag: 'video' | 'audio'): Promise<{ page: Page; ranges: string[]; pageErrors: string[] }> {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState, serviceWorkers: 'block' });
    const ranges: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().includes(`/items/${ids[extension]}/file`))
        ranges.push(`${answer.status()} ${answer.request().headers()['range'] ?? ''}`);
    });
    await page.goto(`${env.base}/#/item/${ids[extension]}`);
    await page.locator(tag).waitFor();
    return { page, ranges, pageErrors };
  }
  const now = (page: Page, tag: string) => page.locator(tag).evaluate((player) => (player as HTMLMediaElement).currentTime);
  const play = (page: Page, tag: string) =>
    page.locator(tag).evaluate(async (element) => {
      const player = element as HTMLMediaElement;
      player.muted = true;
      await player.play();
    });
  const jump = (page: Page, tag: string, to: number) =>
    page.locator(tag).evaluate((element, seconds) => {
      (element as HTMLMediaElement).currentTime = seconds;
    }, to);

  test.each([
    ['.webm', 'video'],
    ['.wav', 'audio'],
  ] as const)('a %s plays, and a jump asks for the part one jumped to', async (extension, tag) => {
    const { page, ranges, pageErrors } = await open(extension, tag);
    await play(page, tag);
    await expect.poll(() => now(page, tag)).toBeGreaterThan(0.2);
    await jump(page, tag, SECONDS - 5);
    await expect.poll(() => now(page, tag)).toBeGreaterThan(SECONDS - 5);
    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.every((one) => one.startsWith('206 bytes='))).toBe(true);
    expect(pageErrors).toEqual([]);
  });

  test('a film has its picture: the frame on screen is as wide as the file says', async () => {
    const { page } = await open('.webm', 'video');
    await expect.poll(() => page.locator('video').evaluate((one) => (one as HTMLVideoElement).videoWidth)).toBe(640);
    await page.getByText('0:30').first().waitFor();
  });

  test('somebody who may not see the folder cannot hear it either', async () => {
    await env.api('POST', '/auth/users', { username: 'deaf', password: 'long enough', global_role: 'viewer' });
    const { cookie } = await signIn(env.base, { username: 'deaf', password: 'long enough' });
    const answer = await fetch(`${env.base}/api/v1/items/${ids['.wav']}/file`, { headers: { cookie, range: 'bytes=0-99' } });
    expect(answer.status).toBe(404);
  });
});
