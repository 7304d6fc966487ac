/** Work that is done a few pieces in each frame, so that a whole screen of it at once does not hold up a list that moves. */
export interface FrameThrottle {
  /** Whether there is room for this piece before the next frame; it is then taken. */
  tryNow: () => boolean;
  /** Tells when it is this piece's turn; the answer withdraws the wish. */
  schedule: (turn: () => void) => () => void;
}

export function createFrameThrottle(
  aFrame: number,
  nextFrame: (run: () => void) => void = (run) => void requestAnimationFrame(run),
): FrameThrottle {
  const waiting = new Set<() => void>();
  let left = aFrame;
  let running = false;
  const run = () => {
    if (running) return;
    running = true;
    nextFrame(frame);
  };
  const frame = () => {
    for (const turn of waiting) {
      if (left === 0) break;
      left -= 1;
      waiting.delete(turn);
      turn();
    }
    left = aFrame;
    running = false;
    if (waiting.size > 0) run();
  };
  return {
    tryNow() {
      if (left === 0) return false;
      left -= 1;
      run();
      return true;
    },
    schedule(turn) {
      waiting.add(turn);
      run();
      return () => waiting.delete(turn);
    },
  };
}

/** New pictures of a list: a browser shows no frame before every small picture in it is decoded. */
export const thumbThrottle = createFrameThrottle(2);
