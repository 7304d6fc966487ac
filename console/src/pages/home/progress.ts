import type { Library } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import { healthOf } from '../libraries/health.ts';
import { secondsRemaining, timeLeft } from '../libraries/stages.ts';

/** A library that is being scanned, read or indexed. */
export interface ProgressRow {
  id: string;
  title: string;
  /** '' when the remaining time is unknown. */
  left: string;
  done: number;
  total: number | null;
}

const STEPS = [
  ['walk', (name: string) => t('Scanning {name}', { name })],
  ['hash', (name: string) => t('Hashing {name}', { name })],
  ['extract', (name: string) => t('Reading contents of {name}', { name })],
  ['thumbnail', (name: string) => t('Making thumbnails of {name}', { name })],
  ['index', (name: string) => t('Indexing {name}', { name })],
] as const;

/** The first unfinished stage of every library that is at work. */
export function progressRows(libraries: readonly Library[]): ProgressRow[] {
  return libraries.flatMap((library): ProgressRow[] => {
    const stages = library.last_scan?.stages;
    if (!stages || !['scanning', 'working'].includes(healthOf(library))) return [];
    const step = STEPS.find(([key]) => ['running', 'waiting', 'paused'].includes(stages[key].state) && stages[key].total !== 0);
    if (!step) return [];
    const [key, titleOf] = step;
    const { done, total, state } = stages[key];
    return [
      {
        id: library.id,
        title: titleOf(library.name),
        left: state === 'paused' ? t('Paused') : (timeLeft(secondsRemaining(stages)) ?? ''),
        done,
        total,
      },
    ];
  });
}
