/**
 * How many extract jobs run at once in this worker. The ceiling is the backpressure controller's; the disk may close the gate altogether.
 */
export interface ExtractionGate {
  /** A function that leaves again, or null when there is no place now. */
  enter(): Promise<(() => void) | null>;
  inside(): number;
}

export function createGate(options: { ceiling(): number; open(): Promise<boolean> }): ExtractionGate {
  let inside = 0;
  return {
    async enter() {
      if (inside >= options.ceiling() || !(await options.open())) return null;
      inside += 1;
      let left = false;
      return () => {
        if (!left) inside -= 1;
        left = true;
      };
    },
    inside: () => inside,
  };
}
