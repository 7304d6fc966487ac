/** Operators that build paths and paint them. */
import { apply, type Canvas, type GraphicsState, invert, type Matrix, pathCommand } from './canvas.ts';
import { paintImage, paintMask } from './images.ts';
import type { Machine } from './machine.ts';
import { OutOfBudget, PostScriptError } from './values.ts';

/** The state changes as a whole when it is restored. */
export interface Graphics {
  state: GraphicsState;
  readonly initial: GraphicsState;
}

const quarter = Math.PI / 2;
const commandCost = 8;

export function definePaths(machine: Machine, canvas: Canvas, graphics: Graphics): void {
  const { allocate, num, pop, push } = machine;
  const saved: GraphicsState[] = [];
  const copy = (from: GraphicsState): GraphicsState => ({ ...from, path: [...from.path] });
  const nums = (count: number): number[] => Array.from({ length: count }, num).reverse();
  // Long paths cost memory when they grow, are kept and are painted.
  const extend = (command: string): void => {
    allocate(commandCost);
    graphics.state.path.push(command);
  };
  const at = (x: number, y: number): [number, number] => apply(graphics.state.matrix, x, y);
  const user = (): [number, number] => {
    const back = invert(graphics.state.matrix);
    if (graphics.state.point === null || back === null) throw new PostScriptError('nocurrentpoint');
    return apply(back, ...graphics.state.point);
  };
  const move = (x: number, y: number): void => {
    graphics.state.point = at(x, y);
    graphics.state.start = graphics.state.point;
    extend(pathCommand('M', graphics.state.point));
  };
  const line = (x: number, y: number): void => {
    if (graphics.state.point === null) throw new PostScriptError('nocurrentpoint');
    graphics.state.point = at(x, y);
    extend(pathCommand('L', graphics.state.point));
  };
  const curve = (points: readonly number[]): void => {
    const [x1, y1, x2, y2, x3, y3] = points as Matrix;
    if (graphics.state.point === null) throw new PostScriptError('nocurrentpoint');
    graphics.state.point = at(x3, y3);
    extend(pathCommand('C', at(x1, y1), at(x2, y2), graphics.state.point));
  };
  const newPath = (): void => void Object.assign(graphics.state, { path: [], point: null, start: null });
  const close = (): void => {
    if (graphics.state.path.length === 0) return;
    extend('Z');
    graphics.state.point = graphics.state.start;
  };
  const arc = (x: number, y: number, radius: number, from: number, to: number): void => {
    const start: [number, number] = [x + radius * Math.cos(from), y + radius * Math.sin(from)];
    if (graphics.state.point === null) move(...start);
    else line(...start);
    const pieces = Math.min(64, Math.max(1, Math.ceil(Math.abs(to - from) / quarter)));
    const step = (to - from) / pieces;
    const reach = (4 / 3) * Math.tan(step / 4) * radius;
    for (let i = 0; i < pieces; i++) {
      const [a, b] = [from + i * step, from + (i + 1) * step];
      const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
      curve([
        x + radius * ca - reach * sa,
        y + radius * sa + reach * ca,
        x + radius * cb + reach * sb,
        y + radius * sb - reach * cb,
        x + radius * cb,
        y + radius * sb,
      ]);
    }
  };
  const rectangle = (): void => {
    const [x, y, w, h] = nums(4) as [number, number, number, number];
    newPath();
    move(x, y);
    line(x + w, y);
    line(x + w, y + h);
    line(x, y + h);
    close();
  };
  const paint = (draw: () => void): void => {
    allocate(graphics.state.path.length / 4);
    draw();
    newPath();
  };
  const clip = (rule: 'nonzero' | 'evenodd'): void => {
    allocate(graphics.state.path.length / 4);
    canvas.clip(graphics.state, rule);
  };
  const restore = (): void => {
    const before = saved.pop();
    if (before !== undefined) graphics.state = before;
  };
  const save = (): void => {
    if (saved.length > 1000) throw new PostScriptError('limitcheck');
    allocate(graphics.state.path.length);
    saved.push(copy(graphics.state));
  };
  machine.define({
    gsave: save,
    grestore: restore,
    grestoreall: restore,
    save() {
      save();
      push(saved.length);
    },
    restore() {
      pop();
      restore();
    },
    newpath: newPath,
    moveto: () => move(...(nums(2) as [number, number])),
    lineto: () => line(...(nums(2) as [number, number])),
    rmoveto() {
      const [x, y] = user();
      const [dx, dy] = nums(2) as [number, number];
      move(x + dx, y + dy);
    },
    rlineto() {
      const [x, y] = user();
      const [dx, dy] = nums(2) as [number, number];
      line(x + dx, y + dy);
    },
    curveto: () => curve(nums(6)),
    rcurveto() {
      const [x, y] = user();
      curve(nums(6).map((value, i) => value + (i % 2 === 0 ? x : y)));
    },
    arc() {
      const [x, y, r, from, to] = nums(5) as [number, number, number, number, number];
      const end = to < from ? to + Math.ceil((from - to) / 360) * 360 : to;
      arc(x, y, r, (from * Math.PI) / 180, (end * Math.PI) / 180);
    },
    arcn() {
      const [x, y, r, from, to] = nums(5) as [number, number, number, number, number];
      const end = to > from ? to - Math.ceil((to - from) / 360) * 360 : to;
      arc(x, y, r, (from * Math.PI) / 180, (end * Math.PI) / 180);
    },
    arcto() {
      const [, , x, y] = nums(5) as [number, number, number, number, number];
      line(x, y);
      push(x, y, x, y);
    },
    arct() {
      const [, , x, y] = nums(5) as [number, number, number, number, number];
      line(x, y);
    },
    closepath: close,
    fill: () => paint(() => canvas.fill(graphics.state, 'nonzero')),
    eofill: () => paint(() => canvas.fill(graphics.state, 'evenodd')),
    stroke: () => paint(() => canvas.stroke(graphics.state)),
    clip: () => clip('nonzero'),
    eoclip: () => clip('evenodd'),
    initclip() {
      graphics.state.clip = '';
    },
    clippath() {},
    flattenpath() {},
    reversepath() {},
    strokepath() {},
    pathbbox() {
      const points =
        graphics.state.path
          .join(' ')
          .match(/-?[\d.]+/g)
          ?.map(Number) ?? [];
      const back = invert(graphics.state.matrix);
      if (points.length < 2 || back === null) throw new PostScriptError('nocurrentpoint');
      const users = Array.from({ length: points.length >> 1 }, (_, i) => apply(back, Number(points[2 * i]), Number(points[2 * i + 1])));
      const edge = (pick: (a: number, b: number) => number, axis: 0 | 1, first: number): number =>
        users.reduce((best, each) => pick(best, each[axis]), first);
      push(edge(Math.min, 0, Infinity), edge(Math.min, 1, Infinity), edge(Math.max, 0, -Infinity), edge(Math.max, 1, -Infinity));
    },
    rectfill() {
      save();
      rectangle();
      canvas.fill(graphics.state, 'nonzero');
      restore();
    },
    rectstroke() {
      save();
      rectangle();
      canvas.stroke(graphics.state);
      restore();
    },
    rectclip() {
      rectangle();
      canvas.clip(graphics.state, 'nonzero');
      newPath();
    },
    currentpoint: () => push(...user()),
    image: () => paintImage(machine, canvas, graphics.state, null),
    colorimage() {
      const components = num();
      paintImage(machine, canvas, graphics.state, components, pop() === true);
    },
    imagemask: () => paintMask(machine, canvas, graphics.state),
    showpage() {
      // Later pages are not drawn.
      if (canvas.elements.length > 0) throw new OutOfBudget();
    },
    initgraphics() {
      graphics.state = { ...graphics.initial, path: [] };
    },
  });
}
