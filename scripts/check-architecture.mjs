import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib/install.mjs';

// Every path that ARCHITECTURE.md and GLOSSARY.md name in backticks or in a link must exist. Paths may be relative to server/src.
const looksLikePath = /^[\w.-]+(\/[\w.*-]+)+\/?$|^[\w-]+\.(ts|md|json|mjs)$/;
const isMissing = (name) => !['', 'server/src'].some((base) => existsSync(path.join(root, base, name)));
const missing = ['ARCHITECTURE.md', 'GLOSSARY.md'].flatMap((file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const named = [...text.matchAll(/`([^`\s]+)`|\]\(([^)]+)\)/g)].map((match) => match[1] ?? match[2]);
  const inTree = [...text.matchAll(/^([a-z]+)\/ {2,}/gm)].map((match) => match[1]);
  // These stand for one file in each capability or package.
  const generic = ['index.ts', 'http.ts', 'tasks.ts', 'checks.ts', 'dist/threads', '*-thread.ts'];
  const paths = [...named.filter((name) => looksLikePath.test(name) && !generic.includes(name)), ...inTree];
  return [...new Set(paths)].filter(isMissing).map((name) => `${file} names ${name}, which does not exist.`);
});
for (const line of missing) process.stdout.write(`${line}\n`);
process.exit(missing.length > 0 ? 1 : 0);
