/** Operators of coordinates. */
import { apply, invert, type Matrix, multiply, toMatrix } from './canvas.ts';
import type { Graphics } from './graphics.ts';
import type { Machine } from './machine.ts';
import { List, PostScriptError, type Value } from './values.ts';

export function defineTransforms(machine: Machine, graphics: Graphics): void {
  const { num, pop, push } = machine;
  const nums = (count: number): number[] => Array.from({ length: count }, num).reverse();
  const concat = (matrix: Matrix): void => {
    graphics.state.matrix = multiply(matrix, graphics.state.matrix);
  };
  /** Fills the matrix on the stack, which stays there. */
  const fill = (into: Value, values: Matrix): void => {
    if (!(into instanceof List)) throw new PostScriptError('typecheck');
    into.items.splice(0, 6, ...values);
    push(into);
  };
  const transformed = (relative: boolean, back: boolean) => (): void => {
    const last = pop();
    const given = last instanceof List ? toMatrix(last) : graphics.state.matrix;
    const y = last instanceof List ? num() : machine.asNumber(last);
    const x = num();
    const used = back ? invert(given) : given;
    if (used === null) throw new PostScriptError('undefinedresult');
    const [px, py] = apply(relative ? [used[0], used[1], used[2], used[3], 0, 0] : used, x, y);
    push(px, py);
  };
  /** Transformations either change the state or fill the matrix on the stack. */
  const change = (make: (values: number[]) => Matrix, count: number) => (): void => {
    const last = pop();
    if (last instanceof List) {
      last.items.splice(0, 6, ...make(nums(count)));
      push(last);
    } else {
      push(last);
      concat(make(nums(count)));
    }
  };
  machine.define({
    translate: change(([x = 0, y = 0]) => [1, 0, 0, 1, x, y], 2),
    scale: change(([x = 1, y = 1]) => [x, 0, 0, y, 0, 0], 2),
    rotate: change(([angle = 0]) => {
      const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
      return [c, s, -s, c, 0, 0];
    }, 1),
    concat: () => concat(toMatrix(pop())),
    setmatrix() {
      graphics.state.matrix = toMatrix(pop());
    },
    initmatrix() {
      graphics.state.matrix = [...graphics.initial.matrix];
    },
    currentmatrix: () => fill(pop(), graphics.state.matrix),
    defaultmatrix: () => fill(pop(), graphics.initial.matrix),
    matrix: () => push(new List([1, 0, 0, 1, 0, 0])),
    identmatrix: () => fill(pop(), [1, 0, 0, 1, 0, 0]),
    concatmatrix() {
      const into = pop();
      const second = toMatrix(pop());
      fill(into, multiply(toMatrix(pop()), second));
    },
    invertmatrix() {
      const into = pop();
      const inverse = invert(toMatrix(pop()));
      if (inverse === null) throw new PostScriptError('undefinedresult');
      fill(into, inverse);
    },
    transform: transformed(false, false),
    dtransform: transformed(true, false),
    itransform: transformed(false, true),
    idtransform: transformed(true, true),
  });
}
