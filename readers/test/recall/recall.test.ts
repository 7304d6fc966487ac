/**
 * Documents that LibreOffice writes from one generated text are read by us and by a reference program. At least 99 % of the words that the
 * reference finds must be in our text. `main.ts` measures the same on a folder of real files.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/contract.ts';
import { locateTool } from '../../src/input/external-tool.ts';
import extract from '../../src/tasks/extract-task.ts';
import { outlookSamples } from '../samples/mails.ts';
import { openSampleFolder } from '../samples/source.ts';
import { references } from './references.ts';
import { wordRecall } from './words.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const syllables = 'ba do ke li mu ra so ti vu zo ça für ñan Œil žut щит λόγ'.split(' ');
const words = Array.from({ length: 2000 }, (_, n) => `${syllables[n % 17]}${syllables[(n * 7) % 13]}${syllables[(n * 3) % 11]}${n}`);
const paragraphs = Array.from({ length: 100 }, (_, n) => words.slice(n * 20, n * 20 + 20).join(' '));
const page = `<html><head><meta charset="utf-8"><title>Recall</title></head><body><h1>Heading &amp; title</h1>${paragraphs
  .map((text) => `<p>${text.replace(/(\S+)$/, '<b>$1</b>')}</p>`)
  .join('')}<table>${paragraphs.map((_, n) => `<tr><td>cell${n}</td><td>${n * 1.5}</td></tr>`).join('')}</table></body></html>`;
const table = paragraphs.map((text, n) => `"${text}",${n * 1234.5},2020-01-${String((n % 28) + 1).padStart(2, '0')}`).join('\n');

function convert(from: string, content: string, filter: string, to: string): string {
  const path = join(samples.folder, from);
  writeFileSync(path, content);
  const profile = `-env:UserInstallation=file://${samples.folder}/profile`;
  const input = from.endsWith('.html') ? ['--writer'] : ['--infilter=CSV:44,34,76,1'];
  execFileSync('soffice', [profile, '--headless', ...input, '--convert-to', filter, '--outdir', samples.folder, path], { stdio: 'ignore' });
  return join(samples.folder, to);
}

const makers: Record<string, () => Promise<string> | string> = {
  html: () => samples.source('recall.html', page).path,
  doc: () => convert('text.html', page, 'doc:MS Word 97', 'text.doc'),
  rtf: () => convert('text.html', page, 'rtf', 'text.rtf'),
  odt: () => convert('text.html', page, 'odt', 'text.odt'),
  xls: () => convert('table.csv', table, 'xls:MS Excel 97', 'table.xls'),
  msg: async () => {
    const sample = outlookSamples.find(({ filename }) => filename.endsWith('.msg'));
    return samples.source('recall.msg', (await sample?.build()) ?? '').path;
  },
};

describe('recall against reference programs', () => {
  for (const [extension, make] of Object.entries(makers)) {
    const reference = references[extension]!;
    const needed = extension === 'html' || extension === 'msg' ? [reference.tool] : ['soffice', reference.tool];
    const missing = needed.find((tool) => locateTool(tool) === null);
    const name = `${extension} is at least 99 % against ${reference.tool}`;
    it.skipIf(missing !== undefined)(
      missing === undefined ? name : `${name} (skipped: ${missing} is not installed)`,
      { timeout: 180_000 },
      async () => {
        const path = await make();
        const result = await extract(
          { path, filename: `a.${extension}`, extension, size: 1, limits: defaultLimits },
          { provenance: false },
        );
        if (result.unsupported) throw new Error('unsupported');
        const {
          found,
          words: all,
          missing: lost,
        } = wordRecall(reference.read(path), `${result.extracted.title ?? ''}\n${result.extracted.bodyText ?? ''}`);
        expect(all).toBeGreaterThan(extension === 'msg' ? 3 : 1000);
        expect(found / all, lost.slice(0, 20).join(' ')).toBeGreaterThanOrEqual(0.99);
      },
    );
  }
});
