import { readWithExiftool } from './exiftool.ts';

/** Starts exiftool and waits to be killed by the test. */
const [, , path] = process.argv as [string, string, string];
const source = { path, limits: { exifTimeoutSeconds: 30 } } as unknown as Parameters<typeof readWithExiftool>[0];
// Whether the file can be read does not matter: exiftool stays open either way.
await readWithExiftool(source).catch(() => null);
process.stdout.write('open\n');
setInterval(() => {}, 1000);
