import type { Bench, Row } from './row.ts';
import { type Coefficients, publishedCoefficients } from './simulation/coefficients.ts';
import { type Outcome, type Stage, simulate } from './simulation/network.ts';

/** The installation that is simulated. Machines have eight cores each; the database writes through one. */
const plan = { scanners: 100, workers: 20, searchNodes: 30, cores: 8, copies: 2 };
/** The catalog: bytes of an average file that are hashed, and the shares of files with text and with a picture. */
const files = { bytes: 2_000_000, withText: 0.3, pictures: 0.2 };
const batch = 10_000;

/**
 * Simulates a first scan of a billion files with the costs that the manual publishes: 100 scanners, 20 workers and a 30-node search cluster in
 * front of one database. Shows how busy each stage is and which one limits the rate. `--scale` changes the number of files.
 */
const bench: Bench = async ({ scale }) => {
  const count = Math.max(batch, Math.round(1_000_000_000 * scale));
  const costs = publishedCoefficients();
  const outcome = simulate(stagesFor(costs), Math.ceil(count / batch));
  const doubled = stagesFor(costs).map((stage) => ({
    ...stage,
    servers: stage.name === limitOf(outcome) ? stage.servers * 2 : stage.servers,
  }));
  const faster = simulate(doubled, Math.ceil(count / batch));
  const rows: Row[] = [
    row('first scan', outcome.seconds / 3600, 'hours', `${Math.round(count / outcome.seconds).toLocaleString('en')} files/s`),
    ...outcome.stages.map(({ name, servers, busy, blocked, longestQueue }) =>
      row(`${name}, busy`, busy * 100, '%', `${servers} servers, blocked ${(blocked * 100).toFixed(1)} %, longest queue ${longestQueue}`),
    ),
    row(`first scan with twice the servers for: ${limitOf(outcome)}`, faster.seconds / 3600, 'hours', `limited by: ${limitOf(faster)}`),
  ];
  const notes = [
    `${count.toLocaleString('en')} files; limited by: ${limitOf(outcome)}.`,
    'The costs are those of manual/sizing.json, which were measured on one machine. Networks and disks are not part of the model.',
  ];
  return { rows, notes };
};

/** The stages of a first scan. Database rows are written by one server, because all workers share its log. */
function stagesFor(costs: Coefficients): Stage[] {
  const perFile = (seconds: number) => () => seconds * batch;
  const hashing = files.bytes / costs.hashBytesPerSecond.value;
  const extraction = files.withText * costs.extractSeconds.value + files.pictures * costs.thumbnailSeconds.value;
  return [
    { name: 'scan and hash', servers: plan.scanners * plan.cores, seconds: perFile(hashing + costs.scanSeconds.value / 2), queue: 400 },
    // About half of the cost of a new file is the database's share.
    { name: 'write rows', servers: plan.cores, seconds: perFile(costs.scanSeconds.value / 2), queue: 200 },
    { name: 'extract', servers: plan.workers * plan.cores, seconds: perFile(extraction), queue: 200 },
    { name: 'read documents', servers: plan.cores, seconds: perFile(costs.projectSeconds.value), queue: 50 },
    { name: 'index', servers: plan.searchNodes * plan.cores, seconds: perFile(costs.indexSeconds.value * plan.copies), queue: 50 },
  ];
}

/** The stage that is busy most of the time. */
function limitOf({ stages }: Outcome): string {
  return stages.reduce((most, stage) => (stage.busy > most.busy ? stage : most)).name;
}

function row(name: string, value: number, unit: string, detail: string): Row {
  return { name, value: Number(value.toPrecision(3)), unit, peer: '', ratio: null, limit: '', ok: Number.isFinite(value), detail };
}

export default bench;
