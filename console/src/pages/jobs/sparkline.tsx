import { useEffect, useState } from 'react';
import s from './jobs-page.module.css';

const POINTS = 24;

/** Remembers the last values while the page is open. */
export function useTrail(value: number, tick: number): number[] {
  const [trail, setTrail] = useState<number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one point for every answer, also when the number stays
  useEffect(() => setTrail((now) => [...now, value].slice(-POINTS)), [tick]);
  return trail;
}

/** A line without axes; the numbers above it say the same. */
export function Sparkline({ values, tone }: { values: number[]; tone: 'active' | 'idle' }) {
  const padded = values.length === 1 ? [values[0]!, values[0]!] : values;
  const most = Math.max(1, ...padded);
  const points = padded
    .map((v, i) => `${((i / Math.max(1, padded.length - 1)) * 160).toFixed(1)},${(22 - (v / most) * 19).toFixed(1)}`)
    .join(' ');
  return (
    <svg className={s.spark} viewBox="0 0 160 24" preserveAspectRatio="none" aria-hidden>
      <polygon points={`0,24 ${points} 160,24`} fill={`var(--${tone}-soft)`} />
      <polyline points={points} fill="none" stroke={`var(--${tone}-fill)`} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
