import type { Perform } from './commands.ts';
import { type Program, putBack, updateProgram } from './update.ts';

interface UpdaterOptions {
  client: Parameters<typeof updateProgram>[0];
  releaseKey: string | undefined;
  dataDir: string;
  /** Null when the agent runs from its source. */
  program: Program | null;
  /** Called when another program is in place and must be started. */
  restart(version: string): void;
}

/** Updates of the program, by the clock and by command. Only one runs at a time. */
export function createUpdater({ client, releaseKey, dataDir, program, restart }: UpdaterOptions) {
  let last: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.catch(() => {}).then(work);
    last = turn;
    return turn;
  };
  /** Installs a newer release, if one is offered. */
  const update = (): Promise<string | null> =>
    alone(async () => {
      const installed = program && (await updateProgram(client, releaseKey, dataDir, program));
      if (installed !== null) restart(installed);
      return installed;
    });
  const perform: Perform = async ({ payload }) => {
    if (!program) throw new Error('This agent runs from its source and cannot replace itself. Update it on its machine.');
    const unwanted = payload['put_back'];
    if (typeof unwanted !== 'string') {
      const installed = await update();
      return { installed: installed !== null, version: installed ?? program.version };
    }
    if (unwanted !== program.version) return { put_back: false, version: program.version };
    await alone(async () => putBack(dataDir, program));
    restart('before');
    return { put_back: true, version: program.version };
  };
  return { update, perform };
}
