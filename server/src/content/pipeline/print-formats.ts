/** Prints the manual's page of file formats. `--write` updates the page, `--check` fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatsPage } from './formats-page.ts';

const page = new URL('../../../../manual/pages/formats.md', import.meta.url);
if (process.argv.includes('--write')) writeFileSync(page, formatsPage());
else if (!process.argv.includes('--check')) console.log(formatsPage());
else if (readFileSync(page, 'utf8') !== formatsPage()) {
  console.error('manual/pages/formats.md is out of date: run node server/src/content/pipeline/print-formats.ts --write');
  process.exitCode = 1;
}
