import path from 'node:path';
import { readKey, signFolder } from '../fleet/releases/index.ts';
import { CommandError } from './command-error.ts';
import { readSettings } from './context.ts';

/** Signs the programs in a folder with the key of this installation. Needs no database, so that the key can be kept on another machine. */
export async function runAgentRelease([action, folder, ...rest]: string[]): Promise<void> {
  if (action !== 'sign' || folder === undefined || rest.length > 0) throw new CommandError('Usage: catalog agent-release sign FOLDER', 2);
  const { version, artifacts } = await signFolder(path.resolve(folder), readKey(readSettings()), new Date());
  process.stdout.write(
    `Signed version ${version}, programs: ${artifacts.length}. Upload manifest.json and the programs, or serve the folder.\n`,
  );
}
