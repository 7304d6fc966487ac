import { systemClock } from '../../platform/clock.ts';
import { connect } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { openSearchWriter, type SearchWriter } from '../engines/index.ts';
import { createProjector } from './projector.ts';

/** A projector in its own process, for tests that kill it. It sends a message before and after each step. */
const [, , address, configDir] = process.argv as [string, string, string, string];
const database = connect(JSON.parse(address));
const settings = settingsForTests({ SVC_CONFIG_DIR: configDir });
const real = openSearchWriter(settings);
const say = (what: string): void => void process.send?.(what);
const writer: SearchWriter = {
  ...real,
  async write(changes) {
    say('writing');
    await real.write(changes);
    say('written');
  },
  async rebuild(pages) {
    async function* told() {
      for await (const page of pages) {
        yield page;
        say('page');
      }
      say('swapping');
    }
    const result = await real.rebuild(told());
    say('rebuilt');
    return result;
  },
};
createProjector({ db: database.db, database, settings, log: silentLog, clock: systemClock }, writer).start();
