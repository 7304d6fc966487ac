/** Collects what a PostScript program draws as elements of an SVG document. Points are kept in the coordinates of the page. */
import { shippedFont } from '../svg.ts';
import { List, PostScriptError, type Value } from './values.ts';

/** a b c d e f: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = [number, number, number, number, number, number];

export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
];
export const apply = (m: Matrix, x: number, y: number): [number, number] => [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];

export function invert(m: Matrix): Matrix | null {
  const det = m[0] * m[3] - m[1] * m[2];
  if (!Number.isFinite(det) || Math.abs(det) < 1e-12) return null;
  const [a, b, c, d] = [m[3] / det, -m[1] / det, -m[2] / det, m[0] / det];
  return [a, b, c, d, -(m[4] * a + m[5] * c), -(m[4] * b + m[5] * d)];
}

export function toMatrix(value: Value | undefined): Matrix {
  if (!(value instanceof List) || value.items.length !== 6 || !value.items.every((each) => typeof each === 'number'))
    throw new PostScriptError('typecheck');
  return [...value.items] as Matrix;
}

export interface Font {
  name: string;
  matrix: Matrix;
}

export interface GraphicsState {
  matrix: Matrix;
  color: string;
  /** The number of values of a colour in the current colour space. */
  components: number;
  lineWidth: number;
  cap: number;
  join: number;
  dash: string;
  font: Font;
  /** The current clipping path, or none. */
  clip: string;
  /** The current path: commands of SVG, and the current point in the coordinates of the page. */
  path: string[];
  point: [number, number] | null;
  start: [number, number] | null;
}

export interface Picture {
  width: number;
  height: number;
  /** RGBA, from the top row of the source. */
  pixels: Buffer;
  matrix: Matrix;
  clip: string;
}

type Element = string | Picture;

const maxElements = 200_000;
const maxClips = 5000;
const maxChars = 24 * 1024 * 1024;
const number = (value: number): string => (Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : '0');
const caps = ['butt', 'round', 'square'];
const joins = ['miter', 'round', 'bevel'];

export interface Canvas {
  readonly elements: readonly Element[];
  readonly clips: readonly string[];
  fill(state: GraphicsState, rule: 'nonzero' | 'evenodd'): void;
  stroke(state: GraphicsState): void;
  clip(state: GraphicsState, rule: 'nonzero' | 'evenodd'): void;
  text(state: GraphicsState, text: string): void;
  picture(picture: Picture): void;
}

export function createCanvas(): Canvas {
  const elements: Element[] = [];
  const clips: string[] = [];
  let chars = 0;
  const add = (element: string): void => {
    chars += element.length;
    if (elements.length < maxElements && chars < maxChars) elements.push(element);
  };
  const clipped = ({ clip }: { clip: string }): string => (clip === '' ? '' : ` clip-path="url(#${clip})"`);
  return {
    elements,
    clips,
    fill(state, rule) {
      if (state.path.length > 0) add(`<path d="${state.path.join('')}" fill="${state.color}" fill-rule="${rule}"${clipped(state)}/>`);
    },
    stroke(state) {
      if (state.path.length === 0) return;
      const [a, b, c, d] = state.matrix;
      const scale = Math.sqrt(Math.abs(a * d - b * c));
      // In PostScript, a width of zero means the thinnest line that the device can draw.
      const width = Math.max(state.lineWidth * scale, 0.25);
      const dash = state.dash === '' ? '' : ` stroke-dasharray="${state.dash}"`;
      const ends = `stroke-linecap="${caps[state.cap] ?? 'butt'}" stroke-linejoin="${joins[state.join] ?? 'miter'}"`;
      add(
        `<path d="${state.path.join('')}" fill="none" stroke="${state.color}" stroke-width="${number(width)}" ${ends}${dash}${clipped(state)}/>`,
      );
    },
    clip(state, rule) {
      if (clips.length >= maxClips || chars > maxChars) return;
      const id = `c${clips.length}`;
      const shape = state.path.length === 0 ? '<path d="M0 0"/>' : `<path d="${state.path.join('')}" clip-rule="${rule}"/>`;
      chars += shape.length;
      clips.push(`<clipPath id="${id}"${clipped(state)}>${shape}</clipPath>`);
      state.clip = id;
    },
    text(state, text) {
      if (text.trim() === '') return;
      const [x, y] = state.point ?? [0, 0];
      const [a, b, c, d] = multiply(state.font.matrix, [...(state.matrix.slice(0, 4) as [number, number, number, number]), 0, 0]);
      // Letters stand on a line whose y axis points up.
      const place = [a, b, -c, -d, x, y].map(number).join(' ');
      const letters = text
        .replace(/[^\x20-\x7e\xa0-\xff]/g, ' ')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;');
      add(
        `<text transform="matrix(${place})" font-size="1"${fontStyle(state.font.name)} fill="${state.color}" xml:space="preserve"${clipped(state)}>${letters}</text>`,
      );
    },
    picture(picture) {
      elements.push(picture);
    },
  };
}

function fontStyle(name: string): string {
  const family = /courier|mono/i.test(name)
    ? `DejaVu Sans Mono, monospace`
    : /times|palatino|roman|serif|garamond/i.test(name)
      ? 'DejaVu Serif, serif'
      : `${shippedFont}, sans-serif`;
  const bold = /bold|black|heavy/i.test(name) ? ' font-weight="bold"' : '';
  const italic = /italic|oblique/i.test(name) ? ' font-style="italic"' : '';
  return ` font-family="${family}"${bold}${italic}`;
}

export const pathCommand = (letter: string, ...points: readonly (readonly [number, number])[]): string =>
  `${letter}${points.map(([x, y]) => `${number(x)} ${number(y)}`).join(' ')}`;
