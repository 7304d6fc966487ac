// Scrolls a list of 100,000 files in a real browser and prints the frames: node dev/measure-scroll.mjs http://127.0.0.1:5199
import { chromium } from 'playwright-core';

const base = process.argv[2] ?? 'http://127.0.0.1:5199';
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
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
await page.goto(`${base}/#/?`);
await page.waitForSelector('[role=row]');
await page.waitForTimeout(1500);

// Time of the main thread itself, which other programs on the machine cannot stretch.
const cdp = await page.context().newCDPSession(page);
await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
const mainThread = async () => Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value * 1000]));

const run = async (name, step) => {
  const before = await mainThread();
  const frames = await scroll(name, step);
  const after = await mainThread();
  const perFrame = (metric) => Math.round((after[metric] - before[metric]) / 24) / 10;
  return {
    ...frames,
    'cpu ms a frame': perFrame('TaskDuration'),
    script: perFrame('ScriptDuration'),
    style: perFrame('RecalcStyleDuration'),
    layout: perFrame('LayoutDuration'),
  };
};

const scroll = (name, step) =>
  page.evaluate(
    async ({ name, step }) => {
      const box = document.querySelector('[role=grid]');
      const frames = [];
      let blank = 0;
      let last = performance.now();
      for (let i = 0; i < 240; i += 1) {
        if (step === 'jump') box.scrollTop = (((i * 7919) % 1000) / 1000) * (box.scrollHeight - box.clientHeight);
        else box.scrollTop += step;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = performance.now();
        frames.push(now - last);
        last = now;
        const middle = document.elementFromPoint(700, 500);
        if (!middle?.closest('[role=row]')) blank += 1;
      }
      frames.sort((a, b) => a - b);
      const at = (p) => Math.round(frames[Math.min(frames.length - 1, Math.floor(frames.length * p))] * 10) / 10;
      return {
        name,
        rows: Number(box.getAttribute('aria-rowcount')),
        inPage: document.querySelectorAll('[role=row]').length,
        p50: at(0.5),
        p95: at(0.95),
        longest: at(1),
        over50: frames.filter((f) => f > 50).length,
        blank,
      };
    },
    { name, step },
  );

console.table([await run('100 px a frame', 100), await run('3000 px a frame', 3000), await run('random jumps', 'jump')]);
await browser.close();
