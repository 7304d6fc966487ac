/**
 * `node readers/test/hostile/main.ts [count] [part/parts]`: prints the table of hostile files and every unexpected outcome. `2/3` runs the
 * second third of the cases, for machines that limit the time of a command.
 */
import { hostileCases, hostileTable, runHostile } from './run-hostile.ts';

const count = Number(process.argv[2] ?? 1500);
const [part, parts] = (process.argv[3] ?? '1/1').split('/').map(Number) as [number, number];
const started = performance.now();
const cases = hostileCases(count).filter((_, i) => i % parts === part - 1);
const { results, alive, peakBytes, largestReaderBytes } = await runHostile(cases);
console.log(hostileTable(results));
console.log(
  `\npool alive: ${alive ? 'yes' : 'NO'}; memory of all readers ${Math.round(peakBytes / 1048576)} MB, at most ${Math.round(largestReaderBytes / 1048576)} MB in one; ${((performance.now() - started) / 1000).toFixed(0)} s`,
);
const wrong = results.filter((one) => one.wrong);
for (const one of wrong)
  console.log(`wrong: ${one.family}: ${one.name} (${JSON.stringify(one.filename)}) ended as ${one.ending} ${one.message}`);
process.exitCode = wrong.length === 0 && alive ? 0 : 1;
