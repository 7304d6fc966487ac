import { isSea } from 'node:sea';

/** The word with which a single executable runs a module instead of its own program (agent/src/single-file.ts). */
const runModule = 'run-module';

/** The command that runs a module in a new process of this Node. A single executable takes options of Node in one word only. */
export function nodeCommand(module: string, options: readonly string[] = []): string[] {
  if (!isSea()) return [process.execPath, ...options, module];
  const joined = options.map((option) => `"${option.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(' ');
  return [process.execPath, ...(options.length === 0 ? [] : [`--node-options=${joined}`]), runModule, module];
}
