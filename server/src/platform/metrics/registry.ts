import { definitions, type MetricName } from './definitions.ts';

/** One series: a number, or the counts of a histogram. */
export interface Sample {
  name: MetricName;
  labels: Record<string, string>;
  value: number;
  /** How many observations were at most as large as each bound of the definition; `value` is their sum. */
  buckets?: number[];
  count?: number;
}

/** Counts what this process does. Labels must come from a small set of values, because every combination is a series. */
export interface Metrics {
  count(name: MetricName, labels?: Record<string, string>, by?: number): void;
  /** Adds an observation, in seconds, to a histogram. */
  observe(name: MetricName, seconds: number, labels?: Record<string, string>): void;
  samples(): Sample[];
}

/** Series beyond this are dropped, so that a label with unexpected values cannot use up memory. */
const maxSeries = 5000;

export function createMetrics(): Metrics {
  const series = new Map<string, Sample>();
  const find = (name: MetricName, labels: Record<string, string>): Sample | undefined => {
    const key = `${name}\0${JSON.stringify(labels)}`;
    const known = series.get(key);
    if (known || series.size >= maxSeries) return known;
    const { bounds } = definitions[name] as { bounds?: readonly number[] };
    const made: Sample = bounds ? { name, labels, value: 0, buckets: bounds.map(() => 0), count: 0 } : { name, labels, value: 0 };
    series.set(key, made);
    return made;
  };
  return {
    count(name, labels = {}, by = 1) {
      const sample = find(name, labels);
      if (sample) sample.value += by;
    },
    observe(name, seconds, labels = {}) {
      const sample = find(name, labels);
      if (!sample?.buckets) return;
      const { bounds = [] } = definitions[name] as { bounds?: readonly number[] };
      sample.value += seconds;
      sample.count = (sample.count ?? 0) + 1;
      for (const [at, bound] of bounds.entries()) if (seconds <= bound) sample.buckets[at] = (sample.buckets[at] ?? 0) + 1;
    },
    samples: () => [...series.values()],
  };
}

const escapeLabel = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
const formatLabels = (labels: Record<string, string | number>): string => {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
};

/** The text format of Prometheus: every metric once with its help and type, then its series. */
export function formatMetrics(samples: readonly Sample[]): string {
  const lines: string[] = [];
  for (const [name, found] of Map.groupBy(samples, (sample) => sample.name)) {
    const { help, type, bounds = [] } = definitions[name] as { help: string; type: string; bounds?: readonly number[] };
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { labels, value, buckets, count } of found) {
      if (!buckets) {
        lines.push(`${name}${formatLabels(labels)} ${value}`);
        continue;
      }
      for (const [at, bound] of bounds.entries()) lines.push(`${name}_bucket${formatLabels({ ...labels, le: bound })} ${buckets[at] ?? 0}`);
      lines.push(`${name}_bucket${formatLabels({ ...labels, le: '+Inf' })} ${count ?? 0}`);
      lines.push(`${name}_sum${formatLabels(labels)} ${value}`, `${name}_count${formatLabels(labels)} ${count ?? 0}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
