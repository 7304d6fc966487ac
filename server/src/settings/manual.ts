/**
 * The manual's configuration page, made from the table. `node server/src/settings/manual.ts --write` writes it; a test
 * fails while the file and the table differ.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crossChecks } from './cross-checks.ts';
import type { Setting } from './setting.ts';
import { deploymentSection, type Section, sections } from './table/index.ts';

export const configurationPagePath = fileURLToPath(new URL('../../../manual/pages/configuration.md', import.meta.url));

const introduction = `# Configuration

Nothing has to be configured: started without any setting, the service keeps its database, search index and files in one
folder and listens on this machine only. What you do set comes from two places:

- the **environment** of the process, and
- an **environment file**: the one that \`SVC_ENV_FILE\` names, else \`.env\` in the working directory. It holds
  \`NAME=value\` lines; \`#\` starts a comment, \`export\` in front is allowed, a value may stand in single quotes (taken
  literally) or double quotes (with \`\\n\`, \`\\t\`, \`\\"\`, \`\\\\\` and \`\\$\`), and \`\${NAME}\` or \`\${NAME:-text}\` is replaced
  outside single quotes.

The environment wins over the file. A blank value means unset. When a value is wrong the service does not start: it
prints everything that is wrong, with the place, and exits with code 2. A name that begins with \`SVC_\` and is not a
setting is ignored with a warning that names the nearest setting. The About page shows every value in use and where it
came from; secrets read "set" or "unset".

Three settings have no default address here: without \`SVC_DATABASE_URL\` the service runs its own PostgreSQL, without
\`SVC_QUEUE_DSN\` the queue uses the same database, and without \`SVC_SEARCH_URL\` it uses its own search engine.

Application and worker must run with the same settings. Marks: ¹ a library may override it, ² an addition of this
program.
`;

/** The whole page in Markdown. */
export function configurationPage(): string {
  const contents = [...sections, deploymentSection].map(settingsPart);
  return [introduction, ...contents, rulesPart()].join('\n');
}

function settingsPart({ title, settings }: Section): string {
  const rows = Object.entries(settings).map(([name, row]) =>
    tableRow([nameCell(name, row), defaultCell(row), valuesCell(row), row.sentence]),
  );
  return [`## ${title}`, '', '| Setting | Default | Values | What it does |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function rulesPart(): string {
  const part = (severity: string) => crossChecks.filter((check) => check.severity === severity).map((check) => `- ${check.sentence}`);
  return [
    '## Rules between settings',
    '',
    'These stop the start:',
    '',
    ...part('error'),
    '',
    'These are printed as warnings:',
    '',
    ...part('warning'),
    '',
  ].join('\n');
}

function nameCell(name: string, row: Setting<unknown>): string {
  const marks = [row.perLibrary ? '¹' : '', row.origin === 'added' ? '²' : ''].join('');
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

/** The size in the largest unit that divides it, or undefined when bytes say it best. */
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
