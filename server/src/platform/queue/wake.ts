/** Lets one loop sleep until something happens or a while has passed. A ring between two sleeps is not lost. */
export interface Sleeper {
  wake(): void;
  sleep(milliseconds: number): Promise<void>;
}

export function createSleeper(): Sleeper {
  let rung = false;
  let rise: (() => void) | null = null;
  return {
    wake() {
      rung = true;
      rise?.();
    },
    async sleep(milliseconds) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          rise = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rise = null;
      rung = false;
    },
  };
}
