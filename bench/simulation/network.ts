/**
 * A discrete-event simulation of batches that pass through stages. Each stage has servers that work on one batch at a time, and a queue of
 * limited length: a stage whose successor's queue is full keeps its server occupied until there is room, as backpressure does in the service.
 */
export interface Stage {
  name: string;
  servers: number;
  /** Seconds that one server needs for a batch. */
  seconds(batch: number): number;
  /** Batches that may wait in front of the stage. */
  queue: number;
}

interface StageReport {
  name: string;
  servers: number;
  /** Share of the servers' time spent working. */
  busy: number;
  /** Share of the servers' time spent waiting for room in the next queue. */
  blocked: number;
  longestQueue: number;
}

export interface Outcome {
  seconds: number;
  finished: number;
  stages: StageReport[];
}

interface State {
  stage: Stage;
  waiting: number[];
  idle: number;
  working: number;
  blocked: number;
  /** Batches whose server waits for room in the next queue, with the time since when. */
  held: { batch: number; since: number }[];
  longestQueue: number;
}

export function simulate(stages: readonly Stage[], batches: number): Outcome {
  const states: State[] = stages.map((stage) => ({
    stage,
    waiting: [],
    idle: stage.servers,
    working: 0,
    blocked: 0,
    held: [],
    longestQueue: 0,
  }));
  const events = createHeap();
  let now = 0;
  let next = 0;
  let finished = 0;

  /** Starts what can start at this stage, then tells the stage before that there is room. */
  function advance(at: number): void {
    const state = states[at] as State;
    if (at === 0) while (state.waiting.length < state.stage.queue && next < batches) state.waiting.push(next++);
    while (state.idle > 0 && state.waiting.length > 0) {
      const batch = state.waiting.shift() as number;
      const seconds = state.stage.seconds(batch);
      state.idle -= 1;
      state.working += seconds;
      events.push({ time: now + seconds, stage: at, batch });
      if (at > 0) release(at - 1);
    }
  }

  /** Moves batches that were held back by a full queue. */
  function release(at: number): void {
    const state = states[at] as State;
    const after = states[at + 1] as State;
    while (state.held.length > 0 && after.waiting.length < after.stage.queue) {
      const { batch, since } = state.held.shift() as { batch: number; since: number };
      state.blocked += now - since;
      state.idle += 1;
      after.waiting.push(batch);
      after.longestQueue = Math.max(after.longestQueue, after.waiting.length);
      advance(at);
    }
  }

  advance(0);
  for (let event = events.pop(); event; event = events.pop()) {
    now = event.time;
    const state = states[event.stage] as State;
    const after = states[event.stage + 1];
    if (!after) {
      finished += 1;
      state.idle += 1;
    } else if (after.waiting.length < after.stage.queue) {
      after.waiting.push(event.batch);
      after.longestQueue = Math.max(after.longestQueue, after.waiting.length);
      state.idle += 1;
      advance(event.stage + 1);
    } else state.held.push({ batch: event.batch, since: now });
    advance(event.stage);
  }
  return {
    seconds: now,
    finished,
    stages: states.map(({ stage, working, blocked, longestQueue }) => ({
      name: stage.name,
      servers: stage.servers,
      busy: working / (stage.servers * now),
      blocked: blocked / (stage.servers * now),
      longestQueue,
    })),
  };
}

interface Event {
  time: number;
  stage: number;
  batch: number;
}

/** A binary heap ordered by time. */
function createHeap() {
  const items: Event[] = [];
  const at = (index: number): Event => items[index] as Event;
  const swap = (a: number, b: number): void => {
    const kept = at(a);
    items[a] = at(b);
    items[b] = kept;
  };
  return {
    push(event: Event): void {
      items.push(event);
      for (let child = items.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1;
        if (at(parent).time <= at(child).time) return;
        swap(parent, child);
        child = parent;
      }
    },
    pop(): Event | undefined {
      const first = items[0];
      const last = items.pop();
      if (first === undefined || last === undefined || items.length === 0) return first;
      items[0] = last;
      for (let parent = 0; ; ) {
        let least = parent;
        for (const child of [2 * parent + 1, 2 * parent + 2]) if (child < items.length && at(child).time < at(least).time) least = child;
        if (least === parent) return first;
        swap(parent, least);
        parent = least;
      }
    },
  };
}
