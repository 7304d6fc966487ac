/** Work that is done a few pieces in each frame, so that a whole screen of it at once does not hold up a list that moves. */
export interface Pace {
  /** Tells when it is this piece's turn; the answer withdraws the wish. */
  wait: (turn: () => void) => () => void;
}

export function createPace(aFrame: number, nextFrame: (run: () => void) => void = (run) => void requestAnimationFrame(run)): Pace {
  const waiting = new Set<() => void>();
  let running = false;
  const frame = () => {
    let left = aFrame;
    for (const turn of waiting) {
      if (left === 0) break;
      left -= 1;
      waiting.delete(turn);
      turn();
    }
    running = waiting.size > 0;
    if (running) nextFrame(frame);
  };
  return {
    wait(turn) {
      waiting.add(turn);
      if (!running) {
        running = true;
        nextFrame(frame);
      }
      return () => waiting.delete(turn);
    },
  };
}

/** New pictures of a list: a browser shows no frame before every small picture in it is decoded. */
export const picturePace = createPace(2);
