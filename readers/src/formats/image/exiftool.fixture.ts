import { readWithExiftool } from './exiftool.ts';

/** A process that has exiftool open and waits to be killed. */
const [, , path] = process.argv as [string, string, string];
const source = { path, limits: { exifTimeoutSeconds: 30 } } as unknown as Parameters<typeof readWithExiftool>[0];
await readWithExiftool(source).catch(() => null);
process.stdout.write('open\n');
setInterval(() => {}, 1000);
