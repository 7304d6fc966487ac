import { join } from 'node:path';
import { fillComputedDefaults, type PartialValues } from './computed-defaults.ts';
import { crossChecks } from './cross-checks.ts';
import { maskUrlPassword } from './describe.ts';
import { hasNoEffect } from './enabled.ts';
import { type EnvFile, parseEnvFile } from './env-file.ts';
import { type Host, systemHost } from './host.ts';
import type { Setting } from './setting.ts';
import { keyName, type SettingSource, type Settings, sourcesKey } from './settings-type.ts';
import { deploymentSection, settingsTable } from './table/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface LoadOptions {
  /** Content of the environment file, instead of reading one from disk; '' for none. */
  readonly envFileText?: string;
  readonly host?: Host;
}

export type LoadedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly string[]; readonly warnings: readonly string[] };

interface RawValue {
  readonly raw: string;
  readonly name: string;
  readonly source: SettingSource;
  /** Where the value is set: "in the environment" or "in /path/.env, line 3". */
  readonly place: string;
}

const rows = Object.entries<Setting<unknown>>(settingsTable);
const knownNames = new Set([...rows.flatMap(([name, row]) => [name, ...row.alsoReads]), ...Object.keys(deploymentSection.settings)]);

/** Reads all settings and returns them frozen, or returns all errors at once. */
export function loadSettings(env: Environment, options: LoadOptions = {}): LoadedSettings {
  const host = options.host ?? systemHost();
  const errors: string[] = [];
  const file = openEnvFile(env, options.envFileText, host, errors);
  const find = (name: string): RawValue | undefined => {
    const fromEnv = env[name];
    if (fromEnv !== undefined) return { raw: fromEnv.trim(), name, source: 'environment', place: 'in the environment' };
    const fromFile = file.values.get(name);
    return fromFile && { raw: fromFile.value.trim(), name, source: 'file', place: `in ${file.path}, line ${fromFile.line}` };
  };

  const values: Record<string, unknown> = {};
  const sources = new Map<string, SettingSource>();
  const unreadable = new Set<string>();
  for (const [name, row] of rows) {
    // An empty value counts as unset, because Docker Compose passes empty values for unset variables.
    const given = [name, ...row.alsoReads].map(find).find((candidate) => candidate !== undefined && candidate.raw !== '');
    sources.set(name, given?.source ?? 'default');
    const parsed = given ? row.parse(given.raw, host) : { value: row.default };
    if ('value' in parsed) values[keyName(name)] = parsed.value;
    else if (given) {
      unreadable.add(name);
      errors.push(describeInvalidValue(row, given, parsed.problem));
      values[keyName(name)] = row.default;
    }
  }

  const finished = values as PartialValues;
  fillComputedDefaults(finished, host, env);
  const settings: Settings = Object.freeze({ ...(finished as Settings), [sourcesKey]: sources });
  const broken = crossChecks.filter((check) => !check.names.some((name) => unreadable.has(name)) && check.isViolated(settings));
  errors.push(...broken.filter((check) => check.severity === 'error').map((check) => check.message));
  const warnings = [
    ...broken.filter((check) => check.severity === 'warning').map((check) => check.message),
    ...[...rows.map(([name]) => name), ...Object.keys(deploymentSection.settings)]
      .filter((name) => hasNoEffect(name) && find(name)?.raw)
      .map((name) => `${name} has no effect in this version.`),
    ...unknownNames(env, file),
  ];
  return errors.length > 0 ? { ok: false, errors, warnings } : { ok: true, settings, warnings };
}

/** The settings that are set, in the environment or in its file, as they were written. */
export function givenSettings(env: Environment, options: LoadOptions = {}): Record<string, string> {
  const file = openEnvFile(env, options.envFileText, options.host ?? systemHost(), []);
  const given = [...knownNames].map((name) => [name, env[name] ?? file.values.get(name)?.value] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** The message printed when the service does not start. */
export function formatSettingsErrors(errors: readonly string[]): string {
  return ['Some settings are invalid. Correct them and start again:', ...errors.map((error) => `  - ${error}`), ''].join('\n');
}

function describeInvalidValue(row: Setting<unknown>, given: RawValue, problem: string): string {
  return row.secret
    ? `${given.name} ${problem} (${given.place}; the value is not shown because it is a secret).`
    : `${given.name} ${problem}, not "${maskUrlPassword(given.raw)}" (${given.place}).`;
}

function openEnvFile(env: Environment, text: string | undefined, host: Host, errors: string[]): EnvFile & { readonly path: string } {
  const requested = env['SVC_ENV_FILE']?.trim();
  const path = text !== undefined ? 'the environment file' : requested || join(host.workingDir, '.env');
  let content = text ?? '';
  if (text === undefined && (requested || host.isFile(path))) {
    try {
      content = host.readText(path);
    } catch (error) {
      errors.push(
        `The environment file ${path} cannot be read (${error instanceof Error && 'code' in error ? error.code : 'unknown reason'}).`,
      );
    }
  }
  const file = parseEnvFile(content, env);
  errors.push(...file.problems.map((problem) => `In ${path}: ${problem}`));
  return { ...file, path };
}

function unknownNames(env: Environment, file: EnvFile): string[] {
  const names = new Set([...Object.keys(env), ...file.values.keys()].filter((name) => name.startsWith('SVC_') && !knownNames.has(name)));
  return [...names].sort().map((name) => {
    const nearest = nearestName(name, knownNames);
    return `${name} is not a setting and is ignored.${nearest ? ` Did you mean ${nearest}?` : ' The manual lists all settings.'}`;
  });
}

/** The known name with the smallest edit distance, or undefined if more than half of the name would have to change. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(name.length / 2) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Damerau-Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const afterSwap = swapped ? at(older, column - 2) + 1 : replaced;
      current.push(Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced, afterSwap));
    }
    [older, previous] = [previous, current];
  }
  return at(previous, b.length);
}

/**
 * Default settings with the given variables, without an environment file. The default config folder is not writable, so that a test that
 * writes without setting SVC_CONFIG_DIR fails.
 */
export function settingsForTests(env: Environment = {}): Settings {
  const loaded = loadSettings({ SVC_CONFIG_DIR: '/dev/null/catalog', ...env }, { envFileText: '' });
  if (!loaded.ok) throw new Error(formatSettingsErrors(loaded.errors));
  return loaded.settings;
}
