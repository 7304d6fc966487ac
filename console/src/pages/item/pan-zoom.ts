/** How a picture lies in its frame: magnified about the centre, then moved. Pure: view in, view out. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Frame {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const MOST = 8;

/** A picture never leaves its frame: at least its edge stays where the frame's edge is. */
function kept({ scale, x, y }: View, frame: Frame): View {
  const reach = { x: ((scale - 1) * frame.width) / 2, y: ((scale - 1) * frame.height) / 2 };
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value)) || 0;
  return { scale, x: within(x, reach.x), y: within(y, reach.y) };
}

/** Magnifies by a factor and keeps the point under the pointer where it is; the point is counted from the frame's centre. */
export function zoomAt(view: View, factor: number, frame: Frame, point = { x: 0, y: 0 }): View {
  const scale = Math.min(MOST, Math.max(1, view.scale * factor));
  if (scale === 1) return WHOLE;
  const grown = scale / view.scale;
  return kept({ scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown }, frame);
}

export function panBy(view: View, dx: number, dy: number, frame: Frame): View {
  return view.scale === 1 ? view : kept({ ...view, x: view.x + dx, y: view.y + dy }, frame);
}

export const mayGrow = (view: View): boolean => view.scale < MOST;
