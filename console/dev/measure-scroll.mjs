// Scrolls 100,000 files in a real browser, as list and as grid with pictures, and prints the frames: node dev/measure-scroll.mjs [address]
// Without an address the built console is served here, with the generated answers behind it.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FRAMES = 240;
const TOO_LONG_MS = 50;

async function serve() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-built.ts'), String(port)], {
    env: { ...process.env, CATALOG_MOCK_ITEMS: process.env['CATALOG_MOCK_ITEMS'] ?? '100000' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const base = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 300; tries += 1) {
    if (
      await fetch(base).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { base, stop: () => child.kill() };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The built console did not start. Is it built?');
}

const { base, stop } = process.argv[2] ? { base: process.argv[2], stop: () => {} } : await serve();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  // The scroll bar is dragged too.
  ignoreDefaultArgs: ['--hide-scrollbars'],
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const cdp = await page.context().newCDPSession(page);
// Time of the main thread itself, which other programs on the machine cannot stretch.
await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
const mainThread = async () => Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value * 1000]));

/** Frames between two calls of the browser's own clock, while something scrolls. */
const startFrames = () =>
  page.evaluate(() => {
    const seen = { frames: [], blank: 0, on: true };
    window.seenFrames = seen;
    let last = performance.now();
    const frame = (now) => {
      seen.frames.push(now - last);
      last = now;
      if (!document.elementFromPoint(700, 500)?.closest('[role=row]')) seen.blank += 1;
      if (seen.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(frame);
    });
  });
const endFrames = () =>
  page.evaluate((tooLong) => {
    const { frames, blank } = window.seenFrames;
    window.seenFrames.on = false;
    const sorted = [...frames].sort((a, b) => a - b);
    const at = (p) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] * 10) / 10;
    return {
      frames: frames.length,
      p50: at(0.5),
      p95: at(0.95),
      longest: at(1),
      over50: sorted.filter((f) => Math.round(f) > tooLong).length,
      blank,
    };
  }, TOO_LONG_MS);

const byScript = (step) =>
  page.evaluate(
    async ({ step, count }) => {
      const box = document.querySelector('[role=grid]');
      for (let i = 0; i < count; i += 1) {
        if (step === 'jump') box.scrollTop = (((i * 7919) % 1000) / 1000) * (box.scrollHeight - box.clientHeight);
        else box.scrollTop += step;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    { step, count: FRAMES },
  );
const byWheel = () =>
  cdp.send('Input.synthesizeScrollGesture', {
    x: 700,
    y: 500,
    yDistance: -40_000,
    speed: 8000,
    gestureSourceType: 'mouse',
    repeatCount: 0,
  });

async function byKeys() {
  await page.focus('[role=grid]');
  const keys = [...Array(40).fill('PageDown'), 'End', 'Home', ...Array(40).fill('ArrowDown'), 'End', ...Array(20).fill('PageUp'), 'Home'];
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(33);
  }
}
async function byDrag() {
  const box = await page.locator('[role=grid]').boundingBox();
  const x = box.x + box.width - 5;
  await page.mouse.move(x, box.y + 20);
  await page.mouse.down();
  for (let i = 0; i < 160; i += 1) {
    const share = i < 80 ? i / 80 : (160 - i) / 80;
    await page.mouse.move(x, box.y + 20 + share * (box.height - 44));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
}

async function measure(name, scroll) {
  await page.evaluate(() => {
    document.querySelector('[role=grid]').scrollTop = 0;
  });
  await page.waitForTimeout(500);
  const before = await mainThread();
  await startFrames();
  await scroll();
  const frames = await endFrames();
  const after = await mainThread();
  const perFrame = (metric) => Math.round(((after[metric] - before[metric]) / frames.frames) * 10) / 10;
  return {
    name,
    ...frames,
    'cpu a frame': perFrame('TaskDuration'),
    script: perFrame('ScriptDuration'),
    style: perFrame('RecalcStyleDuration'),
    layout: perFrame('LayoutDuration'),
  };
}

const rows = [];
for (const [lens, address] of [
  ['list', '/#/?sort=newest'],
  ['list, words marked', '/#/?q=a&sort=newest'],
  ['grid', '/#/?lens=grid&sort=newest'],
]) {
  await page.goto(`${base}${address}`);
  await page.waitForSelector('[role=row]');
  await page.waitForTimeout(1500);
  rows.push(await measure(`${lens}: 100 px a frame`, () => byScript(100)));
  rows.push(await measure(`${lens}: 3000 px a frame`, () => byScript(3000)));
  rows.push(await measure(`${lens}: random jumps`, () => byScript('jump')));
  rows.push(await measure(`${lens}: mouse wheel`, byWheel));
  rows.push(await measure(`${lens}: scroll bar`, byDrag));
  rows.push(await measure(`${lens}: keys`, byKeys));
}
console.table(rows);
await browser.close();
stop();
const long = rows.reduce((sum, row) => sum + row.over50, 0);
console.log(`${rows.reduce((sum, row) => sum + row.frames, 0)} frames, ${long} over ${TOO_LONG_MS} ms`);
process.exit(long > 0 ? 1 : 0);
