import { readFileSync } from 'node:fs';
import { isSea } from 'node:sea';
import type { Program } from './update.ts';

export const version = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };

/** This program, if it is a single executable that a release can replace. Run from the source it is null. */
export function currentProgram(): Program | null {
  if (!isSea()) return null;
  return { file: process.execPath, version, platform: platforms[process.platform] ?? process.platform, arch: process.arch };
}

/** How this program is started. */
export function programWords(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}
