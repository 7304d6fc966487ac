/** Operators of fonts and text. */
import { apply, type Canvas, type GraphicsState, type Matrix, multiply, toMatrix } from './canvas.ts';
import type { Graphics } from './graphics.ts';
import type { Machine } from './machine.ts';
import { type Dictionary, List, Name, PostScriptError, Text, type Value } from './values.ts';

/** Letters are estimated, because the fonts of the program are not here. */
function textWidth(text: string): number {
  return [...text].reduce((sum, char) => sum + (/[ilj.,:;'|!ftr() ]/.test(char) ? 0.33 : /[A-Zmw@]/.test(char) ? 0.7 : 0.52), 0);
}

export function defineFonts(machine: Machine, canvas: Canvas, graphics: Graphics): void {
  const { num, pop, push } = machine;
  const nums = (count: number): number[] => Array.from({ length: count }, num).reverse();
  const show = (text: string, extra = 0, wide = 0): void => {
    const { point } = graphics.state;
    if (point === null) throw new PostScriptError('nocurrentpoint');
    canvas.text(graphics.state, text);
    const spaces = text.split(' ').length - 1;
    const [fx, fy] = apply([...(graphics.state.font.matrix.slice(0, 4) as [number, number, number, number]), 0, 0], textWidth(text), 0);
    const [a, b, c, d] = graphics.state.matrix;
    const dx = fx + extra * text.length + wide * spaces;
    graphics.state.point = [point[0] + a * dx + c * fy, point[1] + b * dx + d * fy];
  };
  const text = (): string => {
    const value = pop();
    if (!(value instanceof Text)) throw new PostScriptError('typecheck');
    return value.chars;
  };
  const fontOf = (value: Value | undefined): GraphicsState['font'] => {
    if (!(value instanceof Map)) throw new PostScriptError('typecheck');
    const name = value.get('FontName');
    return { name: name instanceof Name ? name.text : '', matrix: toMatrix(value.get('FontMatrix')) };
  };
  const scaledFont = (font: Value | undefined, matrix: Matrix): Dictionary => {
    const { name, matrix: own } = fontOf(font);
    return new Map<string, Value>([
      ['FontName', new Name(name, false)],
      ['FontMatrix', new List(multiply(own, matrix))],
    ]);
  };
  const findFont = (value: Value | undefined): Dictionary =>
    new Map<string, Value>([
      ['FontName', new Name(value instanceof Name ? value.text : value instanceof Text ? value.chars : '', false)],
      ['FontMatrix', new List([1, 0, 0, 1, 0, 0])],
      ['FontType', 1],
      ['Encoding', new List(Array.from({ length: 256 }, () => new Name('.notdef', false)))],
    ]);
  machine.define({
    findfont: () => push(findFont(pop())),
    definefont() {
      const font = pop();
      pop();
      push(font);
    },
    scalefont() {
      const size = num();
      push(scaledFont(pop(), [size, 0, 0, size, 0, 0]));
    },
    makefont() {
      const matrix = toMatrix(pop());
      push(scaledFont(pop(), matrix));
    },
    setfont() {
      graphics.state.font = fontOf(pop());
    },
    selectfont() {
      const size = pop();
      const matrix: Matrix = typeof size === 'number' ? [size, 0, 0, size, 0, 0] : toMatrix(size);
      graphics.state.font = fontOf(scaledFont(findFont(pop()), matrix));
    },
    currentfont: () => push(scaledFont(findFont(new Name(graphics.state.font.name, false)), graphics.state.font.matrix)),
    show: () => show(text()),
    ashow() {
      const chars = text();
      const [extra] = nums(2);
      show(chars, extra);
    },
    widthshow() {
      const chars = text();
      const [wide] = nums(3);
      show(chars, 0, wide);
    },
    awidthshow() {
      const chars = text();
      const [wide, , , extra] = nums(5);
      show(chars, extra, wide);
    },
    kshow() {
      const chars = text();
      pop();
      show(chars);
    },
    charpath() {
      pop();
      show(text());
    },
    stringwidth() {
      const width = textWidth(text());
      push(graphics.state.font.matrix[0] * width, graphics.state.font.matrix[1] * width);
    },
  });
}
