import { readFileSync } from 'node:fs';

/** One measured cost, and the benchmark row that it was computed from. */
interface Coefficient {
  value: number;
  unit: string;
  source: string;
}

/** The costs that the calculator of the manual and the simulation use, by name. */
export type Coefficients = Record<keyof typeof rules, Coefficient>;

interface JsonRow {
  bench: string;
  name: string;
  value: number;
  unit: string;
  detail?: string;
}

const inDetail = (pattern: RegExp) => (row: JsonRow) => Number(pattern.exec(row.detail ?? '')?.[1]);

/** How each coefficient follows from a row of `npm run bench -- scan extract search api --json`. */
const rules = {
  scanSeconds: {
    unit: 'CPU seconds per new file',
    bench: 'scan',
    row: /^cost of a new file, from /,
    from: (row: JsonRow, cores: number) => (row.value / 1e6) * cores,
  },
  hashBytesPerSecond: {
    unit: 'bytes per second and core',
    bench: 'scan',
    row: /^content hash of one file/,
    from: (row: JsonRow) => row.value * 1e9,
  },
  extractSeconds: {
    unit: 'CPU seconds per file with content',
    bench: 'extract',
    row: /^metadata and text of the whole corpus/,
    from: (row: JsonRow, cores: number) => cores / row.value,
  },
  thumbnailSeconds: {
    unit: 'CPU seconds per photo of 12 megapixels',
    bench: 'extract',
    row: /^thumbnails of 12 MP photos/,
    from: (row: JsonRow, cores: number) => cores / row.value,
  },
  indexSeconds: { unit: 'CPU seconds per document', bench: 'search', row: /^build, per core/, from: (row: JsonRow) => 1 / row.value },
  projectSeconds: {
    unit: 'CPU seconds per document read from the database',
    bench: 'api',
    row: /^full rebuild from the database/,
    from: (row: JsonRow, cores: number) => cores / row.value,
  },
  engineBytes: { unit: 'bytes of memory per document', bench: 'search', row: /^resident memory/, from: (row: JsonRow) => row.value },
  indexBytes: {
    unit: 'bytes of disk per 1,000,000 documents of the search benchmark at its scale',
    bench: 'search',
    row: /^build, per core/,
    from: inDetail(/index ([\d.e+]+) MB/),
  },
} as const;

/** Computes all coefficients, or says which benchmark rows are missing. */
export function coefficientsFrom({ scale, cores, rows }: { scale: number; cores: number; rows: readonly JsonRow[] }): Coefficients {
  const missing: string[] = [];
  const entries = Object.entries(rules).map(([name, { unit, bench, row: pattern, from }]) => {
    const row = rows.find((each) => each.bench === bench && pattern.test(each.name));
    const value = row ? from(row, cores) : Number.NaN;
    if (!Number.isFinite(value)) missing.push(`${name} (npm run bench -- ${bench} --json)`);
    return [name, { value: Number(value.toPrecision(3)), unit, source: row ? `${bench}: ${row.name}` : '' }] as const;
  });
  if (missing.length > 0) throw new Error(`The report lacks the rows for ${missing.join(', ')}.`);
  const found = Object.fromEntries(entries) as Coefficients;
  return {
    ...found,
    indexBytes: { ...found.indexBytes, value: Math.round(found.indexBytes.value / scale), unit: 'bytes of disk per document' },
  };
}

/** The coefficients that the manual shows. */
export function publishedCoefficients(): Coefficients {
  return JSON.parse(readFileSync(new URL('../../manual/sizing.json', import.meta.url), 'utf8')).coefficients;
}
