import { isIP } from 'node:net';
import { type CommonOptions, type Fallback, type SettingValue, makeSetting, type Parsed, type Setting } from '../setting.ts';
import { splitList } from './words.ts';

interface UrlOptions {
  /** Allowed schemes, without the colon. */
  readonly schemes: readonly string[];
  /** A prefix that paths are appended to: a trailing slash is dropped, query and fragment are refused. */
  readonly prefix?: boolean;
}

const databaseSchemes = /^(postgres|postgresql)(\+[a-z0-9]+)?:\/\//i;

/** A web or service address. */
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
 * A PostgreSQL connection string. It may carry a password, so it is a secret. A driver named in the scheme
 * (postgresql+driver://) is dropped: other programs' environment files work as they are.
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
