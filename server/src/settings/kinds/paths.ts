import { join, resolve } from 'node:path';
import type { Host } from '../host.ts';
import { type CommonOptions, type Fallback, type SettingValue, makeSetting, type Parsed, type Setting } from '../setting.ts';
import { splitList } from './words.ts';

interface PathOptions {
  /** The file must be there and readable, or the service does not start. */
  readonly mustBeReadable?: boolean;
}

/** A file or folder. "~/" is the home folder; a relative path starts at the working directory. */
export function path<const O extends CommonOptions & Fallback<string> & PathOptions>(options: O): Setting<SettingValue<string, O>> {
  const parse = (raw: string, host: Host): Parsed<string> => {
    if (raw.includes('\0')) return { problem: 'must be a path without NUL' };
    const value = absolutePath(raw, host);
    const missing = options.mustBeReadable && !(host.isFile(value) && host.isReadable(value));
    return missing ? { problem: 'must name a file that this user can read' } : { value };
  };
  return makeSetting<string>('path', options, parse) as Setting<SettingValue<string, O>>;
}

/** Several folders separated by commas. */
export function pathList<const O extends CommonOptions & Fallback<readonly string[]>>(
  options: O,
): Setting<SettingValue<readonly string[], O>> {
  const parse = (raw: string, host: Host): Parsed<readonly string[]> => ({ value: splitList(raw).map((part) => absolutePath(part, host)) });
  return makeSetting<readonly string[]>('list', options, parse, { bounds: 'paths separated by commas' }) as Setting<
    SettingValue<readonly string[], O>
  >;
}

function absolutePath(raw: string, host: Host): string {
  if (raw === '~' || raw.startsWith('~/')) return join(host.homeDir, raw.slice(1));
  return resolve(host.workingDir, raw);
}
