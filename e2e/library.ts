import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';

/** A small but real library: pictures, text, archives, odd names, something to leave out. */
export async function makeLibrary(root: string): Promise<{ files: number; excluded: number }> {
  const put = (name: string, content: string | Uint8Array, when = '2024-03-01'): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
    utimesSync(path.join(root, name), new Date(when), new Date(when));
  };
  const colours = ['#2f6f8f', '#8f5a2f', '#3f8f4a', '#7a3f8f', '#8f2f4a', '#c9a227'];
  for (const [at, colour] of colours.entries()) {
    const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: colour } })
      .jpeg()
      .toBuffer();
    put(`photos/2023/bergen/IMG_44${10 + at}_harbour.jpg`, picture, `2023-06-${10 + at}`);
  }
  put(
    'documents/harbour crane survey.txt',
    'The load test of the north harbour crane was repeated after the brake was changed.',
    '2023-11-02',
  );
  put('documents/quarterlyReport.csv', 'month,amount\nJanuary,412\nFebruary,390\n', '2024-02-29');
  put('documents/año nuevo.md', '# Año nuevo\n\nA note about the new year in 北京.', '2022-01-01');
  put(
    'documents/a very long name that goes on and on so that it has to be cut in the middle somewhere and still shows its end 2024-final-v2.txt',
    'long',
    '2024-01-05',
  );
  put('documents/مرحبا بالعالم.txt', 'right to left', '2024-01-06');
  put('archives/backup.zip', zipSync({ 'letters/mooring-fees.txt': strToU8('fees'), 'letters/answer.txt': strToU8('yes') }), '2023-01-01');
  put('code/tides.py', 'def tide(hour):\n    return hour % 12\n', '2024-07-07');
  put('.hidden/secret.txt', 'left out', '2024-01-01');
  return { files: 13, excluded: 1 };
}
