// Scrolls 100,000 files in a real browser, as list and as grid with pictures, and prints the frames:
//   node dev/measure-scroll.mjs [--at address --session cookie] [--only words] [--times n]
// Without an address the built console is served here, with the generated answers behind it.
// A frame in which the machine itself stood still is counted apart; see standstill.mjs.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { watchStandstill } from './standstill.mjs';

const { values: wish } = parseArgs({
  options: {
    at: { type: 'string' },
    session: { type: 'string' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
  },
});

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

const { base, stop } = wish.at ? { base: wish.at, stop: () => {} } : await serve();
const machine = watchStandstill();
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
if (wish.session) await page.context().addCookies([{ name: 'catalog_session', value: wish.session, url: base }]);
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
      seen.frames.push([performance.timeOrigin + last, now - last]);
      last = now;
      if (!document.elementFromPoint(700, 500)?.closest('[role=row]')) seen.blank += 1;
      if (seen.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(frame);
    });
  });
async function endFrames() {
  const { frames, blank } = await page.evaluate(() => {
    window.seenFrames.on = false;
    return window.seenFrames;
  });
  const sorted = frames.map(([, ms]) => ms).sort((a, b) => a - b);
  const at = (p) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] * 10) / 10;
  const long = frames.filter(([, ms]) => Math.round(ms) > TOO_LONG_MS);
  // Without the standstill, in it or in the frame before it whose work it had to make up for, it would have been short enough.
  const stood = long.filter(([from, ms]) => ms - machine.during(from - TOO_LONG_MS, from + ms) <= TOO_LONG_MS);
  return {
    frames: frames.length,
    p50: at(0.5),
    p95: at(0.95),
    longest: at(1),
    over50: long.length - stood.length,
    'machine stood': stood.length,
    blank,
  };
}

const byScript = (step) =>
  page.evaluate(
    async ({ step, count }) => {
      const box = document.querySelector('[role=grid]');
      for (let i = 0; i < count; i += 1) {
        if (step === 'known') box.scrollTop = Math.abs(((i * 3000 + 22_000) % 44_000) - 22_000);
        else if (step === 'jump') box.scrollTop = (((i * 7919) % 1000) / 1000) * (box.scrollHeight - box.clientHeight);
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
    // Now and then they stop to look.
    await page.waitForTimeout(i % 20 === 19 ? 300 : 16);
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
  const ways = [
    ['100 px a frame', () => byScript(100)],
    ['3000 px a frame over what is known', () => byScript('known')],
    ['3000 px a frame', () => byScript(3000)],
    ['random jumps', () => byScript('jump')],
    ['mouse wheel', byWheel],
    ['scroll bar', byDrag],
    ['keys', byKeys],
  ];
  for (const [way, scroll] of ways) {
    const name = `${lens}: ${way}`;
    for (let time = 0; time < (name.includes(wish.only) ? Number(wish.times) : 0); time += 1) rows.push(await measure(name, scroll));
  }
}
console.table(rows);
await browser.close();
machine.stop();
stop();
const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
console.log(
  `${sum('frames')} frames, ${sum('over50')} over ${TOO_LONG_MS} ms, ${sum('machine stood')} more while the machine itself stood still`,
);
process.exit(sum('over50') > 0 ? 1 : 0);
