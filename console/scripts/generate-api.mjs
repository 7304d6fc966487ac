// Writes console/src/api/schema.d.ts from the OpenAPI document of the server, so that an API change breaks the build of the console.
//   node console/scripts/generate-api.mjs openapi.json
//   node console/scripts/generate-api.mjs http://localhost:8484/api/openapi.json
//   --check fails if the file is out of date, instead of writing it
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const source = process.argv.slice(2).find((arg) => !arg.startsWith('--'));
if (!source) {
  console.error('Usage: generate-api.mjs <file or URL of the OpenAPI document> [--check]');
  process.exit(2);
}
const target = new URL('../src/api/schema.d.ts', import.meta.url);
// The generator needs its own TypeScript version, so it is in a separate workspace.
const fromTypesWorkspace = createRequire(new URL('../../api-types/package.json', import.meta.url));
const generator = await import(pathToFileURL(fromTypesWorkspace.resolve('openapi-typescript')).href);
const { default: openapiTypescript, astToString } = typeof generator.default === 'function' ? generator : generator.default;

const text = /^https?:/.test(source) ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
const ast = await openapiTypescript(text, { alphabetize: true, defaultNonNullable: false });
const header = '// Generated from the OpenAPI document by scripts/generate-api.mjs. Change the service, not this file.\n';
const written = header + astToString(ast);

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== written) {
    console.error('console/src/api/schema.d.ts is out of date. Run node scripts/check-api.mjs --write.');
    process.exit(1);
  }
} else {
  writeFileSync(target, written);
  console.log(`Wrote ${target.pathname} (${Object.keys(JSON.parse(text).paths).length} paths).`);
}
