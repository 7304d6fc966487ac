import { loadSharp } from './pixels.ts';

/** A small generator, so that every run has the same pictures. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** A picture like a photo: light from one side, soft shapes of many sizes, a horizon, and some noise. */
export async function drawPhoto(seed: number, width = 480, height = 360): Promise<Buffer> {
  const next = random(seed);
  const colour = () => `rgb(${Math.floor(next() * 255)},${Math.floor(next() * 255)},${Math.floor(next() * 255)})`;
  const shapes = Array.from({ length: 24 }, () => {
    const [x, y, r] = [next() * width, next() * height, 12 + next() ** 2 * 180];
    return next() < 0.5
      ? `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * (0.3 + next())}" fill="${colour()}" opacity="${0.3 + next() * 0.7}"/>`
      : `<rect x="${x}" y="${y}" width="${r}" height="${r * (0.3 + next())}" fill="${colour()}" opacity="${0.3 + next() * 0.7}" transform="rotate(${next() * 90} ${x} ${y})"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x1="${next()}" y1="${next()}" x2="${next()}" y2="${next()}">
    <stop offset="0" stop-color="${colour()}"/><stop offset="1" stop-color="${colour()}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#g)"/><rect y="${height * next()}" width="${width}" height="${height}" fill="${colour()}" opacity="0.5"/>${shapes.join('')}</svg>`;
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg)).blur(1.2).jpeg({ quality: 92 }).toBuffer();
}

/** What people do to a photo without making it another one. */
export async function photoVariants(photo: Buffer): Promise<Record<string, Buffer>> {
  const sharp = await loadSharp();
  const { width, height } = await sharp(photo).metadata();
  const cut = {
    left: Math.round(width * 0.01),
    top: Math.round(height * 0.01),
    width: Math.round(width * 0.98),
    height: Math.round(height * 0.98),
  };
  return {
    half: await sharp(photo)
      .resize(Math.round(width / 2))
      .jpeg({ quality: 90 })
      .toBuffer(),
    quarter: await sharp(photo)
      .resize(Math.round(width / 4))
      .jpeg({ quality: 85 })
      .toBuffer(),
    recompressed: await sharp(photo).jpeg({ quality: 45 }).toBuffer(),
    png: await sharp(photo).png().toBuffer(),
    webp: await sharp(photo).webp({ quality: 60 }).toBuffer(),
    cropped: await sharp(photo).extract(cut).jpeg({ quality: 90 }).toBuffer(),
    brighter: await sharp(photo).modulate({ brightness: 1.2 }).jpeg({ quality: 90 }).toBuffer(),
    darker: await sharp(photo).modulate({ brightness: 0.8 }).jpeg({ quality: 90 }).toBuffer(),
    'cropped, smaller, recompressed': await sharp(photo).extract(cut).resize(400).jpeg({ quality: 60 }).toBuffer(),
  };
}
