/** Runs the scenario on a disk that is full while the file named by FULL_DISK exists. Argument: directory. */
import { rm, writeFile } from 'node:fs/promises';
import { surviveFullDisk } from './scenario.ts';

const mark = process.env['FULL_DISK']!;
await surviveFullDisk(
  process.argv[2]!,
  () => writeFile(mark, ''),
  () => rm(mark, { force: true }),
);
process.stdout.write('survived');
