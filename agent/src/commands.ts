/**
 * Carries out commands of the service. A poll is always open, so a command arrives within a second. Commands run in lanes: a long sweep
 * never delays a command of another lane. A command that was cancelled is stopped; one that was running when the agent was killed is given
 * again by the service, because the next poll does not name it.
 */
import { type Client, ServiceProblem } from './client.ts';

export interface Command {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  status: string;
}

export interface CommandContext {
  signal: AbortSignal;
  id: string;
  progress(done: number, total: number | null): void;
}

/** Returns the result; throws with a sentence that people can read. */
export type Perform = (command: Command, context: CommandContext) => Promise<Record<string, unknown>>;

export interface CommandKinds {
  [kind: string]: { lane: string; perform: Perform };
}

const acknowledgeSeconds = 60;

interface Job {
  command: Command;
  stop: AbortController;
}

interface RunnerOptions {
  client: Client;
  kinds: CommandKinds;
  wait(seconds: number): Promise<void>;
  log(line: string): void;
  signal: AbortSignal;
}

export function createCommandRunner({ client, kinds, wait, log, signal }: RunnerOptions) {
  const jobs = new Map<string, Job>();
  const lanes = new Map<string, Promise<void>>();

  const perform = async ({ command, stop }: Job): Promise<{ ok: boolean; result: Record<string, unknown> }> => {
    let reported: { done: number; total: number | null } | undefined;
    const acknowledge = setInterval(() => {
      client.send('POST', `/commands/${command.id}/ack`, { body: reported ? { progress: reported } : {} }).catch((error: unknown) => {
        // Without a connection the work goes on; the next acknowledgement tells.
        if (error instanceof ServiceProblem && (error.status === 409 || error.status === 404)) stop.abort();
      });
    }, acknowledgeSeconds * 1000);
    try {
      const kind = kinds[command.kind];
      if (!kind) throw new Error(`This version of the agent does not know the command "${command.kind}". Update it.`);
      const progress = (done: number, total: number | null): void => {
        reported = { done, total };
      };
      return { ok: true, result: await kind.perform(command, { id: command.id, signal: stop.signal, progress }) };
    } catch (error) {
      return { ok: false, result: { error: error instanceof Error ? error.message : String(error) } };
    } finally {
      clearInterval(acknowledge);
    }
  };
  /** Tries until the service has the result, or does not want it any more. */
  const report = async (id: string, outcome: object): Promise<void> => {
    for (let pause = 1; !signal.aborted; pause = Math.min(60, pause * 2)) {
      try {
        await client.send('POST', `/commands/${id}/complete`, { body: outcome });
        return;
      } catch (error) {
        if (error instanceof ServiceProblem && error.status < 500 && error.status !== 429) {
          log(`The result of a command was refused: ${error.message}`);
          return;
        }
        await wait(pause);
      }
    }
  };
  const run = async (job: Job): Promise<void> => {
    const { id } = job.command;
    if (!job.stop.signal.aborted) {
      const outcome = await perform(job);
      if (!job.stop.signal.aborted) await report(id, outcome);
    }
    jobs.delete(id);
  };
  const start = (command: Command): void => {
    const job: Job = { command, stop: new AbortController() };
    jobs.set(command.id, job);
    const lane = kinds[command.kind]?.lane ?? 'other';
    lanes.set(
      lane,
      (lanes.get(lane) ?? Promise.resolve()).then(() => run(job)),
    );
  };
  const stopAll = (): void => {
    for (const { stop } of jobs.values()) stop.abort();
  };
  signal.addEventListener('abort', stopAll);
  return {
    /** One poll, open for this many seconds: starts what is new and stops what has ended. */
    async poll(seconds: number): Promise<void> {
      const body = { wait_seconds: seconds, working: [...jobs.keys()] };
      const { body: found } = await client.send('POST', '/commands/poll', { body, timeoutSeconds: seconds + 20, signal });
      for (const command of found as Command[]) {
        const known = jobs.get(command.id);
        if (command.status !== 'picked_up') known?.stop.abort();
        else if (!known) start(command);
      }
    },
    /** Resolves when nothing runs any more. */
    async idle(): Promise<void> {
      while (jobs.size > 0) await Promise.all([...lanes.values()]);
    },
  };
}
