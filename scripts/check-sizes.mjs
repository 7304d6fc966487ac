import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Reports the sizes of source files and fails if one is longer than the limit. Data files and generated files are exempt.
const maxLines = 400;
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((name) => name && !/\.test\.tsx?$|generated|schema\.d\.ts$|registry\.ts$|\/(test|e2e|mock)\//.test(name));
const sizes = files.flatMap((name) => {
  try {
    return [{ name, lines: readFileSync(name, 'utf8').split('\n').length }];
  } catch {
    return [];
  }
});
sizes.sort((a, b) => a.lines - b.lines);
const at = (share) => sizes[Math.floor((sizes.length - 1) * share)]?.lines ?? 0;
process.stdout.write(
  `        ${sizes.length} source files; median ${at(0.5)} lines, nine in ten up to ${at(0.9)}, largest ${sizes.at(-1)?.name} with ${sizes.at(-1)?.lines}\n`,
);
const over = sizes.filter(({ lines, name }) => lines > maxLines && !/wasm-bytes|kernel-bytes/.test(name));
for (const { name, lines } of over) process.stdout.write(`        ${name} has ${lines} lines; split it\n`);
process.exit(over.length > 0 ? 1 : 0);
