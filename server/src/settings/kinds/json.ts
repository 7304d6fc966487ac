import { type CommonOptions, makeSetting, type Parsed, type Setting } from '../setting.ts';

/** A JSON value; `check` turns the parsed text into the typed value or says what it must be. */
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

/** Accepts a list of texts. */
export function textList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined;
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
