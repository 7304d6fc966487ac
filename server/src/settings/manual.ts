/**
 * Generates the manual's configuration page. Run `node server/src/settings/manual.ts --write` after changing a setting; a test fails while
 * the page is outdated.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crossChecks } from './cross-checks.ts';
import { hasNoEffect } from './enabled.ts';
import type { Setting } from './setting.ts';
import { deploymentSection, type Section, sections } from './table/index.ts';

export const configurationPagePath = fileURLToPath(new URL('../../../manual/pages/configuration.md', import.meta.url));

const introduction = `# Configuration

All settings are optional. Without any, the service stores its database, search index and files in one folder and accepts
connections from this machine only. Settings are read from two places:

- the **environment** of the process, and
- an **environment file**: the file named by \`SVC_ENV_FILE\`, otherwise \`.env\` in the working directory. It contains
  \`NAME=value\` lines. \`#\` starts a comment, and \`export\` in front of a name is allowed. A value may be in single quotes
  (literal) or double quotes (with \`\\n\`, \`\\t\`, \`\\"\`, \`\\\\\` and \`\\$\`). \`\${NAME}\` and \`\${NAME:-text}\` are replaced except
  in single quotes.

The environment overrides the file. An empty value counts as unset. If a value is invalid, the service does not start: it
lists all errors and where they are, and exits with code 2. An unknown name that begins with \`SVC_\` is ignored with a
warning that suggests the most similar setting. The About page shows every value and where it was set; secrets are shown
as "set" or "unset".

Without \`SVC_DATABASE_URL\` the service runs its own PostgreSQL, without \`SVC_QUEUE_DSN\` the queue uses the same database,
and without \`SVC_SEARCH_URL\` the service uses its own search engine.

App and worker must run with the same settings. ¹ A library can override this setting. ² Added by this program.
³ Has no effect in this version: the service accepts the setting and warns about it at start.
`;

/** The whole page in Markdown. */
export function configurationPage(): string {
  const contents = [...sections, deploymentSection].map(settingsPart);
  return [introduction, ...contents, rulesPart()].join('\n');
}

function settingsPart({ title, settings }: Section): string {
  const rows = Object.entries(settings).map(([name, row]) =>
    tableRow([nameCell(name, row), defaultCell(row), valuesCell(row), row.description]),
  );
  return [`## ${title}`, '', '| Setting | Default | Values | What it does |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function rulesPart(): string {
  const part = (severity: string) => crossChecks.filter((check) => check.severity === severity).map((check) => `- ${check.message}`);
  return [
    '## Rules between settings',
    '',
    'The service does not start if one of these rules is violated:',
    '',
    ...part('error'),
    '',
    'These cause a warning:',
    '',
    ...part('warning'),
    '',
  ].join('\n');
}

function nameCell(name: string, row: Setting<unknown>): string {
  const marks = [row.perLibrary ? '¹' : '', row.origin === 'added' ? '²' : '', hasNoEffect(name) ? '³' : ''].join('');
  const others = row.alsoReads.map((other) => `, \`${other}\``).join('');
  return `\`${name}\`${others}${marks ? ` ${marks}` : ''}`;
}

function defaultCell(row: Setting<unknown>): string {
  if (row.computed) return row.computed;
  if (row.unset) return `unset: ${row.unset}`;
  if (Array.isArray(row.default)) return row.default.length === 0 ? 'none' : `\`${row.default.join(',')}\``;
  const inUnits = row.unit === 'bytes' && typeof row.default === 'number' ? bytesInWords(row.default) : undefined;
  return `\`${row.default}\`${inUnits ? ` (${inUnits})` : ''}`;
}

function valuesCell(row: Setting<unknown>): string {
  return `${row.bounds ?? row.kind}${row.unit ? `; ${row.unit}` : ''}`;
}

/** The size in the largest unit that divides it evenly, or undefined if there is none. */
function bytesInWords(bytes: number): string | undefined {
  const units = ['KiB', 'MiB', 'GiB'].map((unit, power) => ({ unit, size: 1024 ** (power + 1) })).reverse();
  const fitting = units.find(({ size }) => bytes >= size && bytes % size === 0);
  return fitting && `${bytes / fitting.size} ${fitting.unit}`;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

if (import.meta.main && process.argv.includes('--write')) {
  mkdirSync(dirname(configurationPagePath), { recursive: true });
  writeFileSync(configurationPagePath, configurationPage());
  console.log(`Wrote ${configurationPagePath}.`);
}
