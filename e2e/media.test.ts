import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { signIn } from './client.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const SECONDS = 30;

/** Writes a video with subtitles and an audio file, large enough that the browser does not fetch them in one request. */
function record(root: string): void {
  const make = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { cwd: root });
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`];
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=6:duration=${SECONDS}`];
  make(
    ...picture,
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
  writeFileSync(path.join(root, 'harbour film.en.srt'), '1\n00:00:01,000 --> 00:00:09,000\nThe tide is coming in.\n');
}

// Skipped without Chromium or ffmpeg; `npm test` installs both on Debian and otherwise reports the skip.
describe.runIf(chromiumPath && hasFfmpeg)('audio and video in a real browser', () => {
  let env: TestEnvironment;
  let ids: Record<string, string>;
  beforeAll(async () => {
    env = await startEnvironment();
    const { id, root } = await env.addLibrary('Tapes', { 'readme.txt': 'Two recordings.' });
    record(root);
    expect(await env.scan(id)).toBe('finished');
    const found = async () =>
      (await env.api('GET', `/search?library=${id}&limit=10`)).body.hits as { id: string; filename: string; duration?: number }[];
    const played = async () => (await found()).filter(({ filename, duration }) => duration && !filename.endsWith('.srt'));
    await until(async () => (await played()).length === 2, 'the duration of both files', 90_000);
    ids = Object.fromEntries((await found()).map((hit) => [path.extname(hit.filename), hit.id]));
  }, 240_000);
  afterAll(() => env?.close());

  /** Opens the page of a file and records the byte ranges the browser requests. */
  async function open(extension: string, tag: 'video' | 'audio'): Promise<{ page: Page; ranges: string[]; pageErrors: string[] }> {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState, serviceWorkers: 'block' });
    const ranges: string[] = [];
    page.on('response', (response) => {
      // The waveform reads a short recording whole; players request ranges.
      if (response.url().includes(`/items/${ids[extension]}/file`) && response.request().resourceType() === 'media')
        ranges.push(`${response.status()} ${response.request().headers()['range'] ?? ''}`);
    });
    await page.goto(`${env.base}/#/item/${ids[extension]}`);
    await page.locator(`${tag}[controls]`).waitFor();
    return { page, ranges, pageErrors };
  }
  const now = (page: Page, tag: string) => page.locator(`${tag}[controls]`).evaluate((player) => (player as HTMLMediaElement).currentTime);
  const play = (page: Page, tag: string) =>
    page.locator(`${tag}[controls]`).evaluate(async (element) => {
      const player = element as HTMLMediaElement;
      player.muted = true;
      await player.play();
    });
  const jump = (page: Page, tag: string, to: number) =>
    page.locator(`${tag}[controls]`).evaluate((element, seconds) => {
      (element as HTMLMediaElement).currentTime = seconds;
    }, to);

  test.each([
    ['.webm', 'video'],
    ['.wav', 'audio'],
  ] as const)('a %s file plays, and seeking requests the byte range', async (extension, tag) => {
    const { page, ranges, pageErrors } = await open(extension, tag);
    await play(page, tag);
    await expect.poll(() => now(page, tag)).toBeGreaterThan(0.2);
    await jump(page, tag, SECONDS - 5);
    await expect.poll(() => now(page, tag)).toBeGreaterThan(SECONDS - 5);
    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.every((one) => one.startsWith('206 bytes='))).toBe(true);
    expect(pageErrors).toEqual([]);
  });

  test('a video shows its frames at the width of the file', async () => {
    const { page } = await open('.webm', 'video');
    await expect.poll(() => page.locator('video[controls]').evaluate((one) => (one as HTMLVideoElement).videoWidth)).toBe(640);
    await page.getByText('0:30').first().waitFor();
  });

  test('a video has a strip of scenes that go to their time', async () => {
    const { page, pageErrors } = await open('.webm', 'video');
    const scenes = page.getByRole('group', { name: 'Scenes', exact: true }).getByRole('button');
    await expect.poll(() => scenes.count()).toBe(8);
    await scenes.nth(4).click();
    await expect.poll(() => now(page, 'video')).toBeCloseTo((4.5 / 8) * SECONDS, 0);
    expect(pageErrors).toEqual([]);
  });

  test('the subtitles beside a video can be chosen in its player', async () => {
    const { page, pageErrors } = await open('.webm', 'video');
    await page.locator('video[controls] track').waitFor({ state: 'attached' });
    const cue = page.locator('video[controls]').evaluate(async (element) => {
      const [track] = (element as HTMLVideoElement).textTracks;
      if (!track) return null;
      track.mode = 'showing';
      while (!track.cues?.length) await new Promise(requestAnimationFrame);
      return { label: track.label, language: track.language, text: (track.cues[0] as VTTCue).text };
    });
    expect(await cue).toEqual({ label: 'harbour film.en.srt', language: 'en', text: 'The tide is coming in.' });
    expect(pageErrors).toEqual([]);
  });

  test('a user without access to the folder cannot download the file', async () => {
    await env.api('POST', '/auth/users', { username: 'vera', password: 'long enough', global_role: 'viewer' });
    const { cookie } = await signIn(env.base, { username: 'vera', password: 'long enough' });
    const response = await fetch(`${env.base}/api/v1/items/${ids['.wav']}/file`, { headers: { cookie, range: 'bytes=0-99' } });
    expect(response.status).toBe(404);
  });
});
