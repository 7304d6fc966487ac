/** Operators that set colours and the look of lines. */
import type { Graphics } from './graphics.ts';
import type { Machine } from './machine.ts';
import { List, Name } from './values.ts';

const channel = (value: number): number => Math.round(Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0)) * 255);
const rgb = (r: number, g: number, b: number): string => `rgb(${channel(r)},${channel(g)},${channel(b)})`;
const cmyk = (c: number, m: number, y: number, k: number): string => rgb((1 - c) * (1 - k), (1 - m) * (1 - k), (1 - y) * (1 - k));

function hsb(h: number, s: number, b: number): string {
  const part = (n: number): number => {
    const k = (n + h * 6) % 6;
    return b - b * s * Math.max(0, Math.min(k, 4 - k, 1));
  };
  return rgb(part(5), part(3), part(1));
}

/** The number of components of each colour space; other spaces have one. */
const spaces: Readonly<Record<string, number>> = { DeviceRGB: 3, CIEBasedABC: 3, DeviceCMYK: 4 };

function colorOf([a = 0, b, c, d]: readonly number[]): string {
  if (b === undefined || c === undefined) return rgb(a, a, a);
  return d === undefined ? rgb(a, b, c) : cmyk(a, b, c, d);
}

export function defineColors(machine: Machine, graphics: Graphics): void {
  const { num, pop, push } = machine;
  const nums = (count: number): number[] => Array.from({ length: count }, num).reverse();
  const color = (value: string): void => {
    graphics.state.color = value;
  };
  const setColor = (): void => {
    const values = nums(graphics.state.components);
    graphics.state.color = colorOf(values);
  };
  machine.define({
    setgray() {
      const gray = num();
      color(rgb(gray, gray, gray));
    },
    setrgbcolor: () => color(rgb(...(nums(3) as [number, number, number]))),
    sethsbcolor: () => color(hsb(...(nums(3) as [number, number, number]))),
    setcmykcolor: () => color(cmyk(...(nums(4) as [number, number, number, number]))),
    setcolor: setColor,
    setcolorspace() {
      const space = pop();
      const name = space instanceof List ? space.items[0] : space;
      graphics.state.components = spaces[name instanceof Name ? name.text : ''] ?? 1;
      graphics.state.color = 'rgb(0,0,0)';
    },
    currentrgbcolor: () => push(...(graphics.state.color.match(/\d+/g) ?? ['0', '0', '0']).map((part) => Number(part) / 255)),
    currentgray: () => push(Number(graphics.state.color.match(/\d+/)?.[0] ?? 0) / 255),
    setlinewidth() {
      graphics.state.lineWidth = Math.abs(num());
    },
    currentlinewidth: () => push(graphics.state.lineWidth),
    setlinecap() {
      graphics.state.cap = num();
    },
    setlinejoin() {
      graphics.state.join = num();
    },
    setdash() {
      pop();
      const list = pop();
      const [a, b, c, d] = graphics.state.matrix;
      const scale = Math.sqrt(Math.abs(a * d - b * c));
      const parts = list instanceof List ? list.items.map((each) => (typeof each === 'number' ? Math.max(0, each * scale) : 0)) : [];
      graphics.state.dash = parts.some((part) => part > 0)
        ? parts
            .slice(0, 12)
            .map((part) => part.toFixed(3))
            .join(' ')
        : '';
    },
  });
}
