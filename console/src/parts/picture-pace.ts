/*
 * New pictures of a list come a few in each frame: a browser shows no frame before every small picture in it is decoded, and a whole screen of
 * them at once would hold up the list.
 */
const A_FRAME = 3;

export interface PicturePace {
  /** Tells when it is this picture's turn; the answer withdraws the wish. */
  wait: (turn: () => void) => () => void;
}

export function createPicturePace(nextFrame: (run: () => void) => void = (run) => void requestAnimationFrame(run)): PicturePace {
  const waiting = new Set<() => void>();
  let running = false;
  const frame = () => {
    let left = A_FRAME;
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

export const picturePace = createPicturePace();
