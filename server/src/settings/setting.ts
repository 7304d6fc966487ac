import type { Host } from './host.ts';

/** The outcome of reading one value: the value, or what it must be ("must be a whole number from 1 to 65535"). */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

export type Kind =
  | 'true or false'
  | 'whole number'
  | 'number'
  | 'text'
  | 'choice'
  | 'list'
  | 'JSON'
  | 'address list'
  | 'path'
  | 'URL'
  | 'secret';

/**
 * Where a setting comes from: the specification with its default, the specification without a shown default
 * (we chose one), or ours alone.
 */
export type Origin = 'specified' | 'default chosen' | 'added';

/** One row of the table. `T` includes undefined when the setting may stay unset. */
export interface Setting<T> {
  readonly kind: Kind;
  /** One sentence for people: what the setting does. */
  readonly sentence: string;
  readonly origin: Origin;
  readonly unit?: string;
  /** The allowed values in words, without the word "must". */
  readonly bounds?: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  readonly default?: T;
  /** For a default that depends on the machine or on other settings: that rule in words. */
  readonly computed?: string;
  /** For a setting that may stay unset: what happens then, in words. */
  readonly unset?: string;
  /** Never shown, logged or repeated in an error. */
  readonly secret: boolean;
  /** A library may override it in extract_overrides. */
  readonly perLibrary: boolean;
  /** Other variable names read when this one is not given. */
  readonly alsoReads: readonly string[];
  parse(raw: string, host: Host): Parsed<NonNullable<T>>;
}

/** Exactly one of the three says what holds when nothing is given. */
export type Fallback<T> = { readonly default: T } | { readonly computed: string } | { readonly unset: string };

export interface CommonOptions {
  readonly sentence: string;
  readonly unit?: string;
  readonly origin?: Origin;
  readonly secret?: boolean;
  readonly perLibrary?: boolean;
  readonly alsoReads?: readonly string[];
}

/** The type a setting has in the loaded object: with undefined only when its options allow it to stay unset. */
export type SettingValue<T, Options> = Options extends { readonly unset: string } ? T | undefined : T;

/** Joins what the kind knows with what the row says. */
export function makeSetting<T>(
  kind: Kind,
  options: CommonOptions & Fallback<T>,
  parse: (raw: string, host: Host) => Parsed<T>,
  limits: Pick<Setting<T>, 'bounds' | 'min' | 'max' | 'choices'> = {},
): Setting<T> {
  const { sentence, unit, origin = 'specified', secret = kind === 'secret', perLibrary = false, alsoReads = [] } = options;
  const fallback: Pick<Setting<T>, 'default' | 'computed' | 'unset'> = 'default' in options
    ? { default: options.default }
    : 'computed' in options
      ? { computed: options.computed }
      : { unset: options.unset };
  return { kind, sentence, unit, origin, secret, perLibrary, alsoReads, ...limits, ...fallback, parse: parse as Setting<T>['parse'] };
}
