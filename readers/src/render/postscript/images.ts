/** Pictures inside PostScript programs, whose samples come from a procedure, a string or a file. */
import { type Canvas, type GraphicsState, invert, type Matrix, multiply, toMatrix } from './canvas.ts';
import type { Machine } from './machine.ts';
import { List, PostScriptError, Source, Text, type Value } from './values.ts';

const maxPixels = 16_000_000;

interface Sampled {
  width: number;
  height: number;
  bits: number;
  matrix: Matrix;
  sources: Value[];
  /** Samples are inverted before they are painted. */
  inverted: boolean;
}

function readOperands(machine: Machine, sourceCount: number): Sampled {
  const last = machine.pop();
  if (last instanceof Map) {
    const number = (key: string): number => machine.asNumber(last.get(key));
    const decode = last.get('Decode');
    const data = last.get('DataSource');
    return {
      width: number('Width'),
      height: number('Height'),
      bits: last.has('BitsPerComponent') ? number('BitsPerComponent') : 1,
      matrix: toMatrix(last.get('ImageMatrix')),
      sources: [data ?? null],
      inverted: decode instanceof List && decode.items[0] === 1,
    };
  }
  const sources: Value[] = [last];
  while (sources.length < sourceCount) sources.unshift(machine.pop());
  const matrix = toMatrix(machine.pop());
  const bits = machine.num();
  const height = machine.num();
  return { width: machine.num(), height, bits, matrix, sources, inverted: false };
}

/** Calls procedures in turn until each has given enough bytes, because they read the same file. Strings repeat. */
function samplesOf(machine: Machine, sources: readonly Value[], length: number): Buffer[] {
  const parts = sources.map((): string[] => []);
  const next = (source: Value, left: number): string => {
    if (source instanceof Source) return source.read(left);
    if (!(source instanceof Text)) machine.run(source);
    const part = source instanceof Text ? source : machine.pop();
    return part instanceof Text ? part.chars : '';
  };
  for (let have = 0; have < length; ) {
    const given = sources.map((source) => next(source, length - have));
    for (const [i, part] of given.entries()) parts[i]?.push(part);
    if (given.some((part) => part === '')) break;
    have += given[0]?.length ?? 0;
  }
  return parts.map((list) => Buffer.from(list.join(''), 'latin1'));
}

/** Pictures take eight bytes per pixel, with their samples. */
const checked = (machine: Machine, { width, height, bits }: Sampled): void => {
  if (!(width > 0 && height > 0 && width * height <= maxPixels) || ![1, 2, 4, 8].includes(bits)) throw new PostScriptError('limitcheck');
  machine.allocate((width * height) / 2);
};

function sample(row: Buffer, index: number, bits: number): number {
  const value = ((row[(index * bits) >> 3] ?? 0) >> (8 - bits - ((index * bits) & 7))) & ((1 << bits) - 1);
  return (value * 255) / ((1 << bits) - 1);
}

function place(canvas: Canvas, state: GraphicsState, image: Sampled, pixels: Buffer): void {
  const toUnit = invert(image.matrix);
  if (toUnit === null) throw new PostScriptError('undefinedresult');
  const { width, height } = image;
  canvas.picture({ width, height, pixels, matrix: multiply(toUnit, state.matrix), clip: state.clip });
}

/** `given` is null if the colour space decides how many components there are. */
export function paintImage(machine: Machine, canvas: Canvas, state: GraphicsState, given: number | null, several = false): void {
  const components = given ?? (machine.top() instanceof Map ? state.components : 1);
  const image = readOperands(machine, several ? components : 1);
  checked(machine, image);
  const { width, height, bits, sources } = image;
  const perRow = several ? width : width * components;
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const planes = samplesOf(machine, sources, rowBytes * height);
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = (part: number): number => {
        const plane = planes[several ? part : 0] as Buffer;
        const row = plane.subarray(y * rowBytes, (y + 1) * rowBytes);
        const read = sample(row, several ? x : x * components + part, bits);
        return image.inverted ? 255 - read : read;
      };
      const at = (y * width + x) * 4;
      if (components === 1) pixels.fill(Math.round(value(0)), at, at + 3);
      else if (components === 4)
        for (const part of [0, 1, 2]) pixels[at + part] = Math.round(((255 - value(part)) * (255 - value(3))) / 255);
      else for (const part of [0, 1, 2]) pixels[at + part] = Math.round(value(part));
    }
  place(canvas, state, image, pixels);
}

export function paintMask(machine: Machine, canvas: Canvas, state: GraphicsState): void {
  const image = machine.top() instanceof Map ? readOperands(machine, 1) : readMask(machine);
  checked(machine, image);
  const rowBytes = Math.ceil(image.width / 8);
  const [bytes = Buffer.alloc(0)] = samplesOf(machine, image.sources, rowBytes * image.height);
  const [r = 0, g = 0, b = 0] = (state.color.match(/\d+/g) ?? []).map(Number);
  const pixels = Buffer.alloc(image.width * image.height * 4);
  for (let y = 0; y < image.height; y++)
    for (let x = 0; x < image.width; x++) {
      const bit = ((bytes[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      if ((bit === 1) === image.inverted) pixels.set([r, g, b, 255], (y * image.width + x) * 4);
    }
  place(canvas, state, image, pixels);
}

/** For an image mask, the third operand says which bit value is painted. */
function readMask(machine: Machine): Sampled {
  const source = machine.pop();
  const matrix = toMatrix(machine.pop());
  const inverted = machine.pop() === true;
  const height = machine.num();
  return { width: machine.num(), height, bits: 1, matrix, sources: [source], inverted };
}
