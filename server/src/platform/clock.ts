/** Time as a part that can be handed in: tests jump it, the program uses the system's. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
