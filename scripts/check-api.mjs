import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './lib/install.mjs';
import { run } from './lib/run.mjs';

// Fails when the console's API types differ from the OpenAPI document of the service. `--write` generates them again.
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-openapi-'));
const file = path.join(folder, 'openapi.json');
const printed = await run(process.execPath, ['server/src/assembly/print-openapi.ts', file], { cwd: root, quiet: true });
const flags = process.argv.includes('--write') ? [] : ['--check'];
const { code, output } =
  printed.code === 0
    ? await run(process.execPath, ['console/scripts/generate-api.mjs', file, ...flags], { cwd: root, quiet: true })
    : printed;
rmSync(folder, { recursive: true, force: true });
process.stdout.write(output.slice(-2000));
process.exit(code);
