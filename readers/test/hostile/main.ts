/** `node readers/test/hostile/main.ts [count]`: prints the table of hostile files and every one that ended wrongly. */
import { hostileCases, hostileTable, runHostile } from './run-hostile.ts';

const count = Number(process.argv[2] ?? 1500);
const started = performance.now();
const { ended, alive, peakBytes } = await runHostile(hostileCases(count));
console.log(hostileTable(ended));
console.log(
  `\nworker alive: ${alive ? 'yes' : 'NO'}; readers' memory at most ${Math.round(peakBytes / 1048576)} MB; ${((performance.now() - started) / 1000).toFixed(0)} s`,
);
const wrong = ended.filter((one) => one.wrong);
for (const one of wrong)
  console.log(`wrong: ${one.family}: ${one.name} (${JSON.stringify(one.filename)}) ended as ${one.ending} ${one.message}`);
process.exitCode = wrong.length === 0 && alive ? 0 : 1;
