import { type CommonOptions, type Fallback, type SettingValue, makeSetting, type Setting } from '../setting.ts';

interface NumberOptions {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number within its bounds. */
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

/** A number with or without a fraction, within its bounds. */
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
