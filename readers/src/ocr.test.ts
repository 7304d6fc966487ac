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
  expect(outcome).toMatchObject({ ok: true, result: { pages: 2, truncated: true } });
  expect(outcome.ok && outcome.result.text).toMatch(/First page[\s\S]*Second page/);
  expect(outcome.ok && outcome.result.text).not.toContain('Third');
});

test('all pages of a scanned TIFF are recognised, up to the page limit', async () => {
  const tiff = makeTiffOfPages(await Promise.all(['First page', 'Second page', 'Third page'].map(page)));
  const outcome = await read('scan.tif', await tiff);
  expect(outcome).toMatchObject({ ok: true, result: { pages: 2, truncated: true } });
  expect(outcome.ok && outcome.result.text).toMatch(/First page[\s\S]*\fSecond page/);
  expect(await read('scan.tif', await tiff, { maxPages: 5 })).toMatchObject({ ok: true, result: { pages: 3, truncated: false } });
});

test('a page of a TIFF that cannot be read costs only its own text', async () => {
  const pages = await Promise.all(['First page', 'Second page', 'Third page'].map(page));
  const outcome = await read('scan.tif', await makeTiffOfPages(pages, 1), { maxPages: 5 });
  expect(outcome).toMatchObject({ ok: true, result: { pages: 2, truncated: true } });
  expect(outcome.ok && outcome.result.text).toMatch(/First page\s*\f\fThird page/);
});

test('a scanned BMP is recognised', async () => {
  const { data, info } = await sharp(await page('Mooring fees'))
    .removeAlpha()
    .flip()
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += 3) data.subarray(at, at + 3).reverse();
  const head = Buffer.alloc(54);
  head.write('BM', 'latin1');
  for (const [at, value] of [
    [2, 54 + data.length],
    [10, 54],
    [14, 40],
    [18, info.width],
    [22, info.height],
    [34, data.length],
  ])
    head.writeUInt32LE(value!, at!);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  const outcome = await read('scan.bmp', Buffer.concat([head, data]));
  expect(outcome).toMatchObject({ ok: true, result: { text: expect.stringContaining('Mooring fees') } });
});

/** An uncompressed grey TIFF with a directory per page. The pixels of the page `damaged` are missing. */
async function makeTiffOfPages(pictures: readonly Buffer[], damaged?: number): Promise<Buffer> {
  const parts = [Buffer.from('II*\0\0\0\0\0')];
  let at = 8;
  let pointer = (offset: number) => void parts[0]!.writeUInt32LE(offset, 4);
  for (const [index, picture] of pictures.entries()) {
    const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
    const rows = [
      [256, info.width],
      [257, info.height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, index === damaged ? 0x7fff_ffff : at],
      [277, 1],
      [278, info.height],
      [279, data.length],
    ];
    const directory = Buffer.alloc(2 + rows.length * 12 + 4);
    directory.writeUInt16LE(rows.length, 0);
    for (const [n, [tag, value]] of rows.entries()) {
      directory.writeUInt16LE(tag!, 2 + n * 12);
      directory.writeUInt16LE(4, 4 + n * 12);
      directory.writeUInt32LE(1, 6 + n * 12);
      directory.writeUInt32LE(value!, 10 + n * 12);
    }
    pointer(at + data.length);
    pointer = (offset) => void directory.writeUInt32LE(offset, directory.length - 4);
    parts.push(data, directory);
    at += data.length + directory.length;
  }
  return Buffer.concat(parts);
}

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
