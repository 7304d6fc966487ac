import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';

/**
 * The few facts about the machine that settings depend on. All questions are answered without throwing,
 * except readText, which throws the file system's error.
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

/** The machine this process runs on. */
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

// A container may run under a user id that no account has: then there is no home to ask for.
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

// A path below a folder that may not be entered counts as absent.
function look(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
