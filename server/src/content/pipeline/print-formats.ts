/** Prints the list of formats with the keys each yields; `--write` puts it into the manual. */
import { writeFileSync } from 'node:fs';
import { formatsPage } from './formats-page.ts';

if (process.argv.includes('--write')) writeFileSync(new URL('../../../../manual/pages/formats.md', import.meta.url), formatsPage());
else console.log(formatsPage());
