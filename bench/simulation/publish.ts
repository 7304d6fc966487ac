// Writes the costs of a benchmark report to the manual:
//   npm run --silent bench -- scan extract search api --json > report.json && node bench/simulation/publish.ts report.json
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { coefficientsFrom } from './coefficients.ts';

const report = JSON.parse(readFileSync(String(process.argv[2]), 'utf8'));
const published = {
  scale: report.scale,
  machine: `${os.cpus().length} cores (${os.cpus()[0]?.model ?? 'unknown'}), ${Math.round(os.totalmem() / 1024 ** 3)} GiB of memory`,
  coefficients: coefficientsFrom({ ...report, cores: os.cpus().length }),
};
writeFileSync(new URL('../../manual/sizing.json', import.meta.url), `${JSON.stringify(published, null, 2)}\n`);
