import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defaultLimits } from '../contract.ts';
import { hashPhoto } from './photo-hash.ts';
import { drawPhoto, photoVariants } from './photo-set.fixture.ts';
import { loadSharp } from './pixels.ts';

const maxDistance = 80;
const photos = 8;

function distance(a: string, b: string): number {
  let different = 0;
  for (let bits = BigInt(`0x${a}`) ^ BigInt(`0x${b}`); bits > 0n; bits &= bits - 1n) different += 1;
  return different;
}

async function hashBytes(bytes: Buffer, extension: string): Promise<string | null> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-photo-'));
  const file = path.join(folder, `photo.${extension}`);
  writeFileSync(file, bytes);
  try {
    return await hashPhoto({ path: file, filename: path.basename(file), extension, size: bytes.length, limits: defaultLimits });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('resized, recompressed, slightly cropped and brighter photos are found: recall at least 0.95 at precision at least 0.99', async () => {
  const originals: string[] = [];
  const variants: { of: number; hash: string }[] = [];
  for (let n = 0; n < photos; n += 1) {
    const photo = await drawPhoto(n + 1);
    originals.push((await hashBytes(photo, 'jpg'))!);
    for (const [kind, bytes] of Object.entries(await photoVariants(photo)))
      variants.push({ of: n, hash: (await hashBytes(bytes, kind === 'png' || kind === 'webp' ? kind : 'jpg'))! });
  }
  let [found, wrong] = [0, 0];
  for (const variant of variants)
    for (const [n, original] of originals.entries())
      if (distance(variant.hash, original) <= maxDistance) {
        if (n === variant.of) found += 1;
        else wrong += 1;
      }
  const [recall, precision] = [found / variants.length, found / (found + wrong)];
  console.log(`Similar photos: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)} on ${variants.length} variants.`);
  expect(recall).toBeGreaterThanOrEqual(0.95);
  expect(precision).toBeGreaterThanOrEqual(0.99);
}, 120_000);

test('a picture without contrast is not compared', async () => {
  const sharp = await loadSharp();
  const blank = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#eee' } })
    .jpeg()
    .toBuffer();
  expect(await hashBytes(blank, 'jpg')).toBeNull();
  expect(await hashBytes(Buffer.from('text'), 'txt')).toBeNull();
});
