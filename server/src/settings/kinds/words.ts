import { type CommonOptions, type Fallback, type SettingValue, makeSetting, type Parsed, type Setting } from '../setting.ts';

/** What a text must be, in words and as a test. */
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

/** A switch. */
export function boolean(options: CommonOptions & { readonly default: boolean }): Setting<boolean> {
  return makeSetting<boolean>('true or false', options, (raw) => {
    const value = switchWords.get(raw.toLowerCase());
    return value === undefined ? { problem: 'must be true or false' } : { value };
  });
}

/** Any text that passes its check. */
export function text<const O extends CommonOptions & Fallback<string> & TextOptions>(options: O): Setting<SettingValue<string, O>> {
  return makeSetting<string>('text', options, (raw) => checked(raw, options.check), { bounds: options.check?.words }) as Setting<
    SettingValue<string, O>
  >;
}

/** A text that is never shown. */
export function secret(options: CommonOptions & { readonly unset: string }): Setting<string | undefined> {
  return makeSetting<string>('secret', options, (raw) => ({ value: raw }));
}

/** One of a few words; capitals do not matter in what people write. */
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

/** Several texts separated by commas. */
export function list<const O extends CommonOptions & Fallback<readonly string[]> & TextOptions & { readonly orSpaces?: boolean }>(
  options: O,
): Setting<SettingValue<readonly string[], O>> {
  const bounds = `${options.check?.words ?? 'texts'} separated by commas${options.orSpaces ? ' or spaces' : ''}`;
  const parse = (raw: string): Parsed<readonly string[]> => {
    const value = splitList(options.orSpaces ? raw.replace(/\s+/g, ',') : raw);
    const accepted = value.every((part) => options.check?.accepts(part) ?? true);
    return accepted ? { value } : { problem: `must be ${bounds}` };
  };
  return makeSetting<readonly string[]>('list', options, parse, { bounds }) as Setting<SettingValue<readonly string[], O>>;
}

/** The parts of a comma-separated value, without blanks around them and without empty ones. */
export function splitList(raw: string): string[] {
  return raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A check by pattern, with the pattern in words. */
export function matching(pattern: RegExp, words: string): Check {
  return { words, accepts: (value) => pattern.test(value) };
}

function checked(raw: string, check: Check | undefined): Parsed<string> {
  return !check || check.accepts(raw) ? { value: raw } : { problem: `must be ${check.words}` };
}

function listInWords(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
