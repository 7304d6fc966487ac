import type { Host } from './host.ts';

/** The parsed value, or what is wrong with it, such as "must be a whole number from 1 to 65535". */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

type Kind = 'true or false' | 'whole number' | 'number' | 'text' | 'choice' | 'list' | 'JSON' | 'address list' | 'path' | 'URL' | 'secret';

/**
 * Where a setting comes from: `specified` with its default, specified without a default (`default chosen`), or `added` by this program.
 */
type Origin = 'specified' | 'default chosen' | 'added';

/** One row of the table. `T` includes undefined when the setting may stay unset. */
export interface Setting<T> {
  readonly kind: Kind;
  /** What the setting does, for the manual. */
  readonly description: string;
  readonly origin: Origin;
  readonly unit?: string;
  /** The allowed values as text, such as "a whole number from 1 to 65535". */
  readonly bounds?: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  readonly default?: T;
  /** Describes a default that depends on the machine or on other settings. */
  readonly computed?: string;
  /** For an optional setting: what happens when it is unset. */
  readonly unset?: string;
  /** The value is never shown, logged or included in an error. */
  readonly secret: boolean;
  /** A library can override it in extract_overrides. */
  readonly perLibrary: boolean;
  /** Other variables that are read when this one is unset. */
  readonly alsoReads: readonly string[];
  parse(raw: string, host: Host): Parsed<NonNullable<T>>;
}

/** What applies when the setting is not given: exactly one of the three. */
export type Fallback<T> = { readonly default: T } | { readonly computed: string } | { readonly unset: string };

export interface CommonOptions {
  readonly description: string;
  readonly unit?: string;
  readonly origin?: Origin;
  readonly secret?: boolean;
  readonly perLibrary?: boolean;
  readonly alsoReads?: readonly string[];
}

/** The type of a loaded setting, which includes undefined only if the setting may be unset. */
export type SettingValue<T, Options> = Options extends { readonly unset: string } ? T | undefined : T;

/** Combines the parser of a kind with the options of a setting. */
export function makeSetting<T>(
  kind: Kind,
  options: CommonOptions & Fallback<T>,
  parse: (raw: string, host: Host) => Parsed<T>,
  limits: Pick<Setting<T>, 'bounds' | 'min' | 'max' | 'choices'> = {},
): Setting<T> {
  const { description, unit, origin = 'specified', secret = kind === 'secret', perLibrary = false, alsoReads = [] } = options;
  const fallback: Pick<Setting<T>, 'default' | 'computed' | 'unset'> = 'default' in options
    ? { default: options.default }
    : 'computed' in options
      ? { computed: options.computed }
      : { unset: options.unset };
  return { kind, description, unit, origin, secret, perLibrary, alsoReads, ...limits, ...fallback, parse: parse as Setting<T>['parse'] };
}
