// Scrolls through 100,000 files in a real browser, as a list and as a grid, and prints frame times:
//   node dev/measure-scroll.mjs [--at url --session cookie] [--only text] [--times n]
// Without --at it serves the built console with the mock API.
// Frames delayed because the machine stalled are counted separately; see stall-monitor.mjs.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { monitorStalls } from './stall-monitor.mjs';

const { values: args } = parseArgs({
  options: {
    at: { type: 'string' },
    session: { type: 'string' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
  },
});

const FRAMES = 240;
const MAX_FRAME_MS = 50;

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
        (response) => response.ok,
        () => false,
      )
    )
      return { base, stop: () => child.kill() };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The built console did not start. Build it first.');
}

const { base, stop } = args.at ? { base: args.at, stop: () => {} } : await serve();
const stalls = monitorStalls();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  // Visible, because one measurement drags the scroll bar.
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
if (args.session) await page.context().addCookies([{ name: '__Host-catalog_session', value: args.session, url: base }]);
const cdp = await page.context().newCDPSession(page);
// CPU time of the main thread, which other processes on the machine do not affect.
await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
const mainThread = async () => Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value * 1000]));

/** Records the duration of every animation frame until endFrames. */
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
  const long = frames.filter(([, ms]) => Math.round(ms) > MAX_FRAME_MS);
  // Frames that would have been short enough without a stall during them or during the frame before.
  const stalled = long.filter(([from, ms]) => ms - stalls.during(from - MAX_FRAME_MS, from + ms) <= MAX_FRAME_MS);
  return {
    frames: frames.length,
    p50: at(0.5),
    p95: at(0.95),
    longest: at(1),
    over50: long.length - stalled.length,
    'machine stalled': stalled.length,
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
    // Pauses now and then, as a person does.
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
    'cpu per frame': perFrame('TaskDuration'),
    script: perFrame('ScriptDuration'),
    style: perFrame('RecalcStyleDuration'),
    layout: perFrame('LayoutDuration'),
  };
}

const rows = [];
for (const [lens, address] of [
  ['list', '/#/?sort=newest'],
  ['list with highlights', '/#/?q=a&sort=newest'],
  ['grid', '/#/?lens=grid&sort=newest'],
]) {
  await page.goto(`${base}${address}`);
  await page.waitForSelector('[role=row]');
  await page.waitForTimeout(1500);
  const ways = [
    ['100 px per frame', () => byScript(100)],
    ['3000 px per frame over loaded rows', () => byScript('known')],
    ['3000 px per frame', () => byScript(3000)],
    ['random jumps', () => byScript('jump')],
    ['mouse wheel', byWheel],
    ['scroll bar', byDrag],
    ['keys', byKeys],
  ];
  for (const [way, scroll] of ways) {
    const name = `${lens}: ${way}`;
    for (let time = 0; time < (name.includes(args.only) ? Number(args.times) : 0); time += 1) rows.push(await measure(name, scroll));
  }
}
console.table(rows);
await browser.close();
stalls.stop();
stop();
const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
console.log(`${sum('frames')} frames, ${sum('over50')} over ${MAX_FRAME_MS} ms, ${sum('machine stalled')} more while the machine stalled`);
process.exit(sum('over50') > 0 ? 1 : 0);
