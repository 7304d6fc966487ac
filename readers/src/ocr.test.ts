import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits } from './contract.ts';
import { createSandboxPool, type SandboxPool } from './sandbox/pool.ts';
import { ocrTaskModule } from './tasks/index.ts';
import type { OcrResult } from './tasks/ocr-task.ts';

let pool: SandboxPool;
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-ocr-'));
beforeAll(() => {
  pool = createSandboxPool({ size: 1, background: false, memoryMb: 2048, tasks: { ocr: ocrTaskModule } });
});
afterAll(() => {
  pool.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = (text: string) =>
  sharp(
    Buffer.from(
      `<svg width="1200" height="300"><rect width="100%" height="100%" fill="white"/><text x="40" y="170" font-size="80" font-family="sans-serif" fill="black">${text}</text></svg>`,
    ),
  )
    .png()
    .toBuffer();
const read = (name: string, bytes: Buffer | Uint8Array, options = {}) => {
  writeFileSync(path.join(folder, name), bytes);
  const job = {
    path: path.join(folder, name),
    filename: name,
    extension: name.split('.').at(-1)!,
    size: bytes.length,
    limits: { ...defaultLimits, timeoutSeconds: 120 },
  };
  return pool.run<OcrResult>('ocr', job, { lang: 'eng', maxPages: 2, pageSeconds: 100, maxChars: 1000, ...options });
};

test('printed words in a picture and on the pages of a scanned PDF are recognised, up to the page limit', async () => {
  const picture = await page('Mooring fees 1962');
  expect(await read('scan.png', picture)).toMatchObject({
    ok: true,
    result: { text: expect.stringContaining('Mooring fees 1962'), truncated: false, pages: 1 },
  });
  const pdf = await PDFDocument.create();
  for (const text of ['First page', 'Second page', 'Third page']) {
    const image = await pdf.embedPng(await page(text));
    pdf.addPage([600, 150]).drawImage(image, { x: 0, y: 0, width: 600, height: 150 });
  }
  const outcome = await read('scan.pdf', await pdf.save());
  expect(outcome).toMatchObject({ ok: true, result: { pages: 2 } });
  expect(outcome.ok && outcome.result.text).toMatch(/First page[\s\S]*Second page/);
  expect(outcome.ok && outcome.result.text).not.toContain('Third');
});

test('text above the limit is cut and flagged; a broken picture is corrupt; an unknown language is a missing dependency', async () => {
  expect(await read('long.png', await page('Mooring fees 1962'), { maxChars: 5 })).toMatchObject({
    ok: true,
    result: { text: 'Moori', truncated: true },
  });
  expect(await read('broken.png', Buffer.from('no picture'))).toMatchObject({ ok: false, kind: 'corrupt' });
  expect(await read('other.png', await page('x'), { lang: 'xyz' })).toMatchObject({
    ok: false,
    kind: 'dependency',
    message: expect.stringContaining('xyz'),
  });
});
