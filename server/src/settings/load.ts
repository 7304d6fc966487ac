import { join } from 'node:path';
import { fillComputedDefaults, type PartialValues } from './computed-defaults.ts';
import { crossChecks } from './cross-checks.ts';
import { type EnvFile, parseEnvFile } from './env-file.ts';
import { type Host, systemHost } from './host.ts';
import { keyName, type Settings, type Source, sourcesKey } from './settings-type.ts';
import { maskUrlPassword } from './describe.ts';
import type { Setting } from './setting.ts';
import { deploymentSection, settingsTable } from './table/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadOptions {
  /** The text of the environment file, instead of looking for one; '' means there is none. */
  readonly envFileText?: string;
  readonly host?: Host;
}

export type LoadedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly string[]; readonly warnings: readonly string[] };

interface RawValue {
  readonly raw: string;
  readonly name: string;
  readonly source: Source;
  /** "in the environment" or "in /path/.env, line 3". */
  readonly place: string;
}

const rows = Object.entries<Setting<unknown>>(settingsTable);
const knownNames = new Set([...rows.flatMap(([name, row]) => [name, ...row.alsoReads]), ...Object.keys(deploymentSection.settings)]);

/** Reads every setting, collects everything that is wrong, and freezes the result. */
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
  const sources = new Map<string, Source>();
  const unreadable = new Set<string>();
  for (const [name, row] of rows) {
    // A blank value means unset, because compose files pass blank ones for what nobody set.
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

  const finished = values as unknown as PartialValues;
  fillComputedDefaults(finished, host, env);
  const settings: Settings = Object.freeze({ ...(finished as Settings), [sourcesKey]: sources });
  const broken = crossChecks.filter((check) => !check.names.some((name) => unreadable.has(name)) && check.isViolated(settings));
  errors.push(...broken.filter((check) => check.severity === 'error').map((check) => check.sentence));
  const warnings = [...broken.filter((check) => check.severity === 'warning').map((check) => check.sentence), ...unknownNames(env, file)];
  return errors.length > 0 ? { ok: false, errors, warnings } : { ok: true, settings, warnings };
}

/** The list a person reads when the service does not start. */
export function formatSettingsErrors(errors: readonly string[]): string {
  return ['The settings are not right. Change these and start again:', ...errors.map((error) => `  - ${error}`), ''].join('\n');
}

function describeInvalidValue(row: Setting<unknown>, given: RawValue, problem: string): string {
  return row.secret
    ? `${given.name} ${problem} (${given.place}; a secret, so not shown).`
    : `${given.name} ${problem}, not "${maskUrlPassword(given.raw)}" (${given.place}).`;
}

function openEnvFile(env: Environment, text: string | undefined, host: Host, errors: string[]): EnvFile & { readonly path: string } {
  const asked = env['SVC_ENV_FILE']?.trim();
  const path = text !== undefined ? 'the environment file' : asked || join(host.workingDir, '.env');
  let content = text ?? '';
  if (text === undefined && (asked || host.isFile(path))) {
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

/** The known name with the fewest changed letters, unless more than half of the name would have to change. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(name.length / 2) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Letters inserted, deleted, replaced or swapped with their neighbour. */
export function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, replaced);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, older[column - 2]! + 1);
      current.push(cost);
    }
    [older, previous] = [previous, current];
  }
  return previous[b.length]!;
}

/**
 * Settings for a test: the defaults plus what the test names, without any environment file. The config folder is a
 * place where nothing can be written, so that a test that forgets to name its own fails at once.
 */
export function settingsForTests(env: Environment = {}): Settings {
  const loaded = loadSettings({ SVC_CONFIG_DIR: '/dev/null/catalog', ...env }, { envFileText: '' });
  if (!loaded.ok) throw new Error(formatSettingsErrors(loaded.errors));
  return loaded.settings;
}
