/** Plays the scenario on a disk that is full whenever the file FULL_DISK is there. Argument: directory. */
import { rm, writeFile } from 'node:fs/promises';
import { outliveFullDisk } from './scenario.ts';

const mark = process.env['FULL_DISK']!;
await outliveFullDisk(
  process.argv[2]!,
  () => writeFile(mark, ''),
  () => rm(mark, { force: true }),
);
process.stdout.write('outlived');
