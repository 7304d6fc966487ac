/** Prints the manual's page of file formats; `--write` updates the page. */
import { writeFileSync } from 'node:fs';
import { formatsPage } from './formats-page.ts';

if (process.argv.includes('--write')) writeFileSync(new URL('../../../../manual/pages/formats.md', import.meta.url), formatsPage());
else console.log(formatsPage());
