import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Host } from './host.ts';
import { type CommonOptions, type Fallback, makeSetting, type Parsed, type Setting, type SettingValue } from './setting.ts';

/** A JSON value. `check` returns the typed value, or undefined if it is invalid. */
export function json<T>(
  options: CommonOptions & { readonly default: NoInfer<T>; readonly bounds: string; readonly check: (value: unknown) => T | undefined },
): Setting<T> {
  const { bounds, check } = options;
  const parse = (raw: string): Parsed<T> => {
    const value = check(parseJson(raw));
    return value === undefined ? { problem: `must be ${bounds}` } : { value };
  };
  return makeSetting<T>('JSON', options, parse, { bounds });
}

/** Accepts a JSON array of strings. */
export function textList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined;
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Reported as an invalid value by the caller.
    return undefined;
  }
}

interface Check {
  readonly words: string;
  readonly accepts: (value: string) => boolean;
}

interface TextOptions {
  readonly check?: Check;
}

const switchWords = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
]);

export function boolean(options: CommonOptions & { readonly default: boolean }): Setting<boolean> {
  return makeSetting<boolean>('true or false', options, (raw) => {
    const value = switchWords.get(raw.toLowerCase());
    return value === undefined ? { problem: 'must be true or false' } : { value };
  });
}

/** A string that passes its check. */
export function text<const O extends CommonOptions & Fallback<string> & TextOptions>(options: O): Setting<SettingValue<string, O>> {
  return makeSetting<string>('text', options, (raw) => checked(raw, options.check), { bounds: options.check?.words }) as Setting<
    SettingValue<string, O>
  >;
}

/** A string that is never shown. */
export function secret(options: CommonOptions & { readonly unset: string }): Setting<string | undefined> {
  return makeSetting<string>('secret', options, (raw) => ({ value: raw }));
}

/** One of several values, case-insensitive. */
export function choice<const V extends readonly string[]>(
  values: V,
  options: CommonOptions & { readonly default: NoInfer<V[number]> },
): Setting<V[number]> {
  const bounds = listInWords(values);
  const parse = (raw: string): Parsed<V[number]> => {
    const value = values.find((candidate) => candidate.toLowerCase() === raw.toLowerCase());
    return value === undefined ? { problem: `must be ${bounds}` } : { value };
  };
  return makeSetting<V[number]>('choice', options, parse, { bounds, choices: values });
}

/** Strings separated by commas. */
export function list<const O extends CommonOptions & Fallback<readonly string[]> & TextOptions & { readonly orSpaces?: boolean }>(
  options: O,
): Setting<SettingValue<readonly string[], O>> {
  const bounds = `${options.check?.words ?? 'values'} separated by commas${options.orSpaces ? ' or spaces' : ''}`;
  const parse = (raw: string): Parsed<readonly string[]> => {
    const value = splitList(options.orSpaces ? raw.replace(/\s+/g, ',') : raw);
    const accepted = value.every((part) => options.check?.accepts(part) ?? true);
    return accepted ? { value } : { problem: `must be ${bounds}` };
  };
  return makeSetting<readonly string[]>('list', options, parse, { bounds }) as Setting<SettingValue<readonly string[], O>>;
}

/** Splits at commas, trims the parts and drops empty ones. */
function splitList(raw: string): string[] {
  return raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A check by regular expression, with a description for error messages. */
export function matching(pattern: RegExp, words: string): Check {
  return { words, accepts: (value) => pattern.test(value) };
}

function checked(raw: string, check: Check | undefined): Parsed<string> {
  return !check || check.accepts(raw) ? { value: raw } : { problem: `must be ${check.words}` };
}

function listInWords(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

interface NumberOptions {
  readonly min?: number;
  readonly max?: number;
}

export function integer<const O extends CommonOptions & Fallback<number> & NumberOptions>(options: O): Setting<SettingValue<number, O>> {
  const bounds = numberInWords('a whole number', options);
  const parse = (raw: string) => {
    const value = /^[+-]?\d+$/.test(raw) ? Number(raw) : Number.NaN;
    return Number.isSafeInteger(value) && within(value, options) ? { value } : { problem: `must be ${bounds}` };
  };
  return makeSetting<number>('whole number', options, parse, { bounds, min: options.min, max: options.max }) as Setting<
    SettingValue<number, O>
  >;
}

export function decimal<const O extends CommonOptions & Fallback<number> & NumberOptions>(options: O): Setting<SettingValue<number, O>> {
  const bounds = numberInWords('a number', options);
  const parse = (raw: string) => {
    const value = /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(raw) ? Number(raw) : Number.NaN;
    return Number.isFinite(value) && within(value, options) ? { value } : { problem: `must be ${bounds}` };
  };
  return makeSetting<number>('number', options, parse, { bounds, min: options.min, max: options.max }) as Setting<SettingValue<number, O>>;
}

function within(value: number, { min = -Infinity, max = Infinity }: NumberOptions): boolean {
  return value >= min && value <= max;
}

function numberInWords(noun: string, { min, max }: NumberOptions): string {
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  if (min !== undefined) return `${noun} of at least ${min}`;
  return max === undefined ? noun : `${noun} of at most ${max}`;
}

interface PathOptions {
  /** The service does not start unless the file can be read. */
  readonly mustBeReadable?: boolean;
}

/** A file or folder. "~/" is the home folder; relative paths are resolved from the working directory. */
export function path<const O extends CommonOptions & Fallback<string> & PathOptions>(options: O): Setting<SettingValue<string, O>> {
  const parse = (raw: string, host: Host): Parsed<string> => {
    if (raw.includes('\0')) return { problem: 'must be a path without NUL' };
    const value = absolutePath(raw, host);
    const missing = options.mustBeReadable && !(host.isFile(value) && host.isReadable(value));
    return missing ? { problem: 'must name a file that this user can read' } : { value };
  };
  return makeSetting<string>('path', options, parse) as Setting<SettingValue<string, O>>;
}

/** Folders separated by commas. */
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

interface UrlOptions {
  /** Allowed schemes, without the colon. */
  readonly schemes: readonly string[];
  /** For a base URL to which paths are appended: removes a trailing slash and rejects a query or fragment. */
  readonly prefix?: boolean;
}

const databaseSchemes = /^(postgres|postgresql)(\+[a-z0-9]+)?:\/\//i;

export function url<const O extends CommonOptions & Fallback<string> & UrlOptions>(options: O): Setting<SettingValue<string, O>> {
  const bounds = `a URL that starts with ${options.schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  const parse = (raw: string): Parsed<string> => {
    const parsed = URL.parse(raw);
    if (!parsed || !options.schemes.includes(parsed.protocol.slice(0, -1)) || parsed.host === '') return { problem: `must be ${bounds}` };
    if (!options.prefix) return { value: raw };
    if (parsed.search || parsed.hash) return { problem: 'must be a URL without ? and #' };
    return { value: raw.replace(/\/+$/, '') };
  };
  return makeSetting<string>('URL', options, parse, { bounds }) as Setting<SettingValue<string, O>>;
}

/**
 * A PostgreSQL connection string. It is a secret because it may contain a password. A driver in the scheme (postgresql+driver://) is
 * removed, so that environment files of other programs can be used.
 */
export function databaseAddress(options: CommonOptions & { readonly unset: string }): Setting<string | undefined> {
  const bounds = 'a connection string such as postgresql://user:password@host:5432/catalog';
  const parse = (raw: string): Parsed<string> => {
    const plain = raw.replace(databaseSchemes, 'postgresql://');
    return databaseSchemes.test(raw) && URL.canParse(plain) ? { value: plain } : { problem: `must be ${bounds}` };
  };
  return makeSetting<string>('URL', { secret: true, ...options }, parse, { bounds });
}

/** IP addresses and CIDR blocks separated by commas. */
export function cidrList(options: CommonOptions & { readonly default: readonly string[] }): Setting<readonly string[]> {
  const bounds = 'IP addresses or CIDR blocks separated by commas, such as 10.0.0.0/8, 192.168.1.7, fd00::/8';
  const parse = (raw: string): Parsed<readonly string[]> => {
    const value = splitList(raw);
    const wrong = value.find((part) => !isAddressBlock(part));
    return wrong === undefined ? { value } : { problem: `must be ${bounds} ("${wrong}" is neither)` };
  };
  return makeSetting<readonly string[]>('address list', options, parse, { bounds });
}

function isAddressBlock(part: string): boolean {
  const [address = '', prefix, ...rest] = part.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
