/**
 * Draws the first page of PostScript: lines, areas, pictures and text in a shipped font. A program that uses something else, or runs too
 * long, is drawn as far as it came.
 */
import { loadSharp, type RenderedImage } from '../pixels.ts';
import { drawSvg } from '../svg.ts';
import { createCanvas, type GraphicsState, type Picture } from './canvas.ts';
import { defineColors } from './colors.ts';
import { defineControl } from './control-operators.ts';
import { defineData } from './data-operators.ts';
import { defineFonts } from './fonts.ts';
import { definePaths, type Graphics } from './graphics.ts';
import { createMachine } from './machine.ts';
import { defineStack } from './stack-operators.ts';
import { defineTransforms } from './transforms.ts';
import { Source } from './values.ts';

const maxEdge = 20_000;
const usualPage = [0, 0, 612, 792] as const;

export async function drawPostScript(program: string, longestEdge: number): Promise<RenderedImage | null> {
  const [left, bottom, right, top] = boundingBox(program);
  const [width, height] = [right - left, top - bottom];
  const canvas = createCanvas();
  const machine = createMachine();
  const initial: GraphicsState = {
    matrix: [1, 0, 0, -1, -left, top],
    color: 'rgb(0,0,0)',
    components: 1,
    lineWidth: 1,
    cap: 0,
    join: 0,
    dash: '',
    font: { name: '', matrix: [10, 0, 0, 10, 0, 0] },
    clip: '',
    path: [],
    point: null,
    start: null,
  };
  const graphics: Graphics = { state: { ...initial, path: [] }, initial };
  for (const define of [defineStack, defineControl, defineData]) define(machine);
  definePaths(machine, canvas, graphics);
  defineFonts(machine, canvas, graphics);
  defineColors(machine, graphics);
  defineTransforms(machine, graphics);
  machine.start(new Source(program));
  if (canvas.elements.length === 0) return null;
  const content: string[] = [];
  for (const element of canvas.elements) content.push(typeof element === 'string' ? element : await pictureElement(element));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#fff"/><defs>${canvas.clips.join('')}</defs>${content.join('')}</svg>`;
  return drawSvg(Buffer.from(svg), longestEdge);
}

/** The comment states what is drawn. Programs without one draw on a page. */
function boundingBox(program: string): readonly [number, number, number, number] {
  for (const [, values = ''] of program.matchAll(/^%%(?:HiRes)?BoundingBox:\s*([-\d. ]+)/gm)) {
    const box = values.trim().split(/\s+/).map(Number);
    const [left = 0, bottom = 0, right = 0, top = 0] = box;
    const fits = right > left && top > bottom && right - left <= maxEdge && top - bottom <= maxEdge;
    if (box.length === 4 && fits) return [left, bottom, right, top];
  }
  return usualPage;
}

async function pictureElement({ width, height, pixels, matrix, clip }: Picture): Promise<string> {
  const sharp = await loadSharp();
  const png = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const clipped = clip === '' ? '' : ` clip-path="url(#${clip})"`;
  const place = matrix.map((value) => (Number.isFinite(value) ? value : 0)).join(' ');
  return `<g${clipped}><image width="${width}" height="${height}" preserveAspectRatio="none" transform="matrix(${place})" xlink:href="data:image/png;base64,${png.toString('base64')}"/></g>`;
}
