/** Lets one loop sleep until something happens or a while has passed. A ring between two sleeps is not lost. */
export interface Wake {
  ring(): void;
  sleep(milliseconds: number): Promise<void>;
}

export function createWake(): Wake {
  let rung = false;
  let rise: (() => void) | null = null;
  return {
    ring() {
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
