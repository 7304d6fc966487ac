import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';

/**
 * What the settings need to know about the machine. Only `readText` throws; the other methods return false for paths they cannot read.
 */
export interface Host {
  readonly workingDir: string;
  readonly homeDir: string;
  isDirectory(path: string): boolean;
  isFile(path: string): boolean;
  isReadable(path: string): boolean;
  isWritable(path: string): boolean;
  readText(path: string): string;
}

export function systemHost(): Host {
  return {
    workingDir: process.cwd(),
    homeDir: findHome(),
    isDirectory: (path) => look(path)?.isDirectory() ?? false,
    isFile: (path) => look(path)?.isFile() ?? false,
    isReadable: (path) => allows(path, constants.R_OK),
    isWritable: (path) => allows(path, constants.W_OK | constants.X_OK),
    readText: (path) => readFileSync(path, 'utf8'),
  };
}

// homedir() throws when a container runs under a user id without an account.
function findHome(): string {
  try {
    return homedir();
  } catch {
    return process.cwd();
  }
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

// A path in a folder without permission to enter counts as missing.
function look(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
