import { useEffect, useState } from 'react';
import type { HistogramBar } from '../api/types.ts';
import { t } from '../language/text.ts';
import { barHeight, toBins } from './bins.ts';
import s from './range-histogram.module.css';

interface RangeHistogramProps {
  label: string;
  bars: HistogramBar[];
  min: number;
  max: number;
  from: number | null;
  to: number | null;
  /** Uses a logarithmic axis, for sizes. */
  log?: boolean;
  format: (value: number) => string;
  /** What was typed; at the upper end, the last value it stands for. */
  parse: (text: string, end: boolean) => number | null;
  onChange: (from: number | null, to: number | null) => void;
}

const STEPS = 200;
const BINS = 24;

/** A histogram above a slider with two handles. Both ends can also be typed. */
export function RangeHistogram(props: RangeHistogramProps) {
  const { min, max, log } = props;
  const f = log ? (n: number) => Math.log10(Math.max(1, n)) : (n: number) => n;
  const width = f(max) - f(min) || 1;
  const toStep = (value: number) => Math.round(((f(Math.min(max, Math.max(min, value))) - f(min)) / width) * STEPS);
  const toValue = (step: number) => {
    const raw = f(min) + (step / STEPS) * width;
    return Math.round(log ? 10 ** raw : raw);
  };
  const settled: [number, number] = [props.from === null ? 0 : toStep(props.from), props.to === null ? STEPS : toStep(props.to)];
  const [drag, setDrag] = useState<[number, number] | null>(null);
  const [low, high] = drag ?? settled;
  const used = props.from !== null || props.to !== null || drag !== null;

  const commit = () => {
    if (!drag) return;
    setDrag(null);
    props.onChange(drag[0] <= 0 ? null : toValue(drag[0]), drag[1] >= STEPS ? null : toValue(drag[1]));
  };
  const bins = toBins(props.bars, (value) => (f(value) - f(min)) / width, BINS);
  const tallest = Math.max(...bins);
  const shownFrom = drag ? toValue(low) : (props.from ?? min);
  const shownTo = drag ? toValue(high) : (props.to ?? max);

  return (
    <div className={s.box}>
      <div className={s.bars} aria-hidden>
        {bins.map((files, at) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: a bin is identified by its position
            key={at}
            data-in={used && (at + 1) * (STEPS / BINS) > low && at * (STEPS / BINS) < high}
            style={{ height: files > 0 ? `${Math.max(5, barHeight(files, tallest) * 100)}%` : undefined }}
          />
        ))}
      </div>
      <div className={s.track} data-used={used}>
        <div className={s.chosen} style={{ left: `${(low / STEPS) * 100}%`, right: `${100 - (high / STEPS) * 100}%` }} />
        {(['from', 'to'] as const).map((end) => (
          <input
            key={end}
            type="range"
            min={0}
            max={STEPS}
            value={end === 'from' ? low : high}
            aria-label={end === 'from' ? t('{label}, from', { label: props.label }) : t('{label}, to', { label: props.label })}
            aria-valuetext={props.format(end === 'from' ? shownFrom : shownTo)}
            onChange={(event) => {
              const value = event.currentTarget.valueAsNumber;
              setDrag(end === 'from' ? [Math.min(value, high), high] : [low, Math.max(value, low)]);
            }}
            onPointerUp={commit}
            onKeyUp={commit}
            onBlur={commit}
          />
        ))}
      </div>
      <div className={s.ends}>
        <TypedEnd
          label={t('{label} from', { label: props.label })}
          value={shownFrom}
          format={props.format}
          parse={(text) => props.parse(text, false)}
          onChange={(v) => props.onChange(v, props.to)}
        />
        <TypedEnd
          label={t('{label} to', { label: props.label })}
          value={shownTo}
          format={props.format}
          parse={(text) => props.parse(text, true)}
          onChange={(v) => props.onChange(props.from, v)}
        />
      </div>
    </div>
  );
}

function TypedEnd(props: {
  label: string;
  value: number;
  format: (n: number) => string;
  parse: (t: string) => number | null;
  onChange: (n: number | null) => void;
}) {
  const shown = props.format(props.value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const commit = () => {
    if (text === shown) return;
    if (text.trim() === '') props.onChange(null);
    else {
      const value = props.parse(text);
      if (value === null) setText(shown);
      else props.onChange(value);
    }
  };
  return (
    <input
      aria-label={props.label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') {
          setText(shown);
          event.stopPropagation();
        }
      }}
    />
  );
}

const UNIT: Record<string, number> = {
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  // French: octets.
  o: 1,
  ko: 1e3,
  mo: 1e6,
  go: 1e9,
  to: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

/** Parses "10 MB", "1.5g" or "2048" to bytes. */
export function parseSize(text: string): number | null {
  const match = /^\s*([\d.,]+)\s*([a-z]*)\s*$/i.exec(text);
  if (!match) return null;
  const number = Number((match[1] ?? '').replace(',', '.'));
  const unit = UNIT[(match[2] || 'b').toLowerCase()];
  return Number.isFinite(number) && unit ? Math.round(number * unit) : null;
}
