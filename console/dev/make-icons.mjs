// Renders the PNG icons of the installed app from icon.svg.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';

const folder = new URL('../public/', import.meta.url);
const svg = readFileSync(new URL('icon.svg', folder));
for (const size of [192, 512]) {
  await sharp(svg, { density: (72 * size) / 28 })
    .resize(size, size)
    .png()
    .toFile(new URL(`icon-${size}.png`, folder).pathname);
}
