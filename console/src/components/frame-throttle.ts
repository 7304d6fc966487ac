/** Limits how many tasks run per animation frame, so that a screen full of them does not block scrolling. */
interface FrameThrottle {
  /** Reserves a slot in the current frame; false if none is left. */
  tryNow: () => boolean;
  /** Runs the task in the next frame with a free slot; the returned function cancels it. */
  schedule: (task: () => void) => () => void;
}

export function createFrameThrottle(
  perFrame: number,
  nextFrame: (run: () => void) => void = (run) => void requestAnimationFrame(run),
): FrameThrottle {
  const waiting = new Set<() => void>();
  let left = perFrame;
  let running = false;
  const run = () => {
    if (running) return;
    running = true;
    nextFrame(frame);
  };
  const frame = () => {
    for (const task of waiting) {
      if (left === 0) break;
      left -= 1;
      waiting.delete(task);
      task();
    }
    left = perFrame;
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
    schedule(task) {
      waiting.add(task);
      run();
      return () => waiting.delete(task);
    },
  };
}

/** Runs all tasks of a pause together, so that they cost one rendering. Those that are cancelled before never run. */
function createBatch(delayMs: number): Pick<FrameThrottle, 'schedule'> {
  const waiting = new Set<() => void>();
  let timed = false;
  const run = () => {
    timed = false;
    const tasks = [...waiting];
    waiting.clear();
    for (const task of tasks) task();
  };
  return {
    schedule(task) {
      waiting.add(task);
      if (!timed) setTimeout(run, delayMs);
      timed = true;
      return () => waiting.delete(task);
    },
  };
}

/** Thumbnails of a list that rests: shortly after its rows, so that those of a search that is typed further are never requested. */
export const thumbBatch = createBatch(100);

/** New thumbnails in a list: the browser paints a frame only after all of its small images are decoded. */
export const thumbThrottle = createFrameThrottle(2);
