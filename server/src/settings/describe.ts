import { hasNoEffect } from './enabled.ts';
import type { Setting } from './setting.ts';
import { keyName, type SettingSource, type Settings, sourcesKey } from './settings-type.ts';
import { sections } from './table/index.ts';

/** One row of the About page. */
export interface SettingRow {
  readonly name: string;
  /** "set" or "unset" for secrets. */
  readonly value: string;
  readonly default: string;
  readonly source: SettingSource;
  readonly unit?: string;
  readonly description: string;
  readonly section: string;
  /** False when its capability is not part of this version. */
  readonly has_effect: boolean;
}

/** All settings with their values as text; the values of secrets are not included. */
export function describeSettings(settings: Settings): SettingRow[] {
  const values = new Map<string, unknown>(Object.entries(settings));
  return sections.flatMap(({ title, settings: rows }) =>
    Object.entries(rows).map(([name, row]) => ({
      name,
      value: formatValue(row, values.get(keyName(name))),
      default: formatDefault(row),
      source: settings[sourcesKey].get(name) ?? 'default',
      unit: row.unit,
      description: row.description,
      section: title,
      has_effect: !hasNoEffect(name),
    })),
  );
}

function formatDefault(row: Setting<unknown>): string {
  if (row.computed) return row.computed;
  return row.unset ? `unset: ${row.unset}` : valueText(row.default);
}

function formatValue(row: Setting<unknown>, value: unknown): string {
  if (row.secret) return value === undefined || (Array.isArray(value) && value.length === 0) ? 'unset' : 'set';
  return maskUrlPassword(valueText(value));
}

function valueText(value: unknown): string {
  if (value === undefined) return 'unset';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return String(value);
}

/**
 * Hides the password in a URL, even if the URL is malformed. A password may contain any character, so everything up to the last @ is
 * replaced, which may hide more than the password.
 */
export function maskUrlPassword(text: string): string {
  return text.replace(/(:\/\/[^/?#@:]*:).*@/s, '$1***@');
}
