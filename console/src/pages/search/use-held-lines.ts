import { useMemo, useRef } from 'react';
import type { StripWindow } from './use-strip-window.ts';

export type HeldLine = [slot: string | number, line: number];

/**
 * Which lines stand in the page, by the slot each of them stands in, in the order of the page. A line that comes into view takes the slot of
 * one that left, and no slot ever moves within the page while somebody scrolls: so a step costs only what is new in it.
 * When they rest the slots are put in the order they are read in, for those who have the page read to them.
 * A line left behind whose place is outside the box is let go: it would make the box longer than it is.
 */
export function useHeldLines(
  { from, to, rests, holds }: Pick<StripWindow, 'from' | 'to' | 'rests' | 'holds'>,
  count: number,
  slotOf: (line: number) => string | number,
): HeldLine[] {
  const held = useRef({ slots: new Map<string | number, number>(), rests });
  return useMemo(() => {
    const rested = held.current.rests !== rests;
    const before = [...held.current.slots].filter(([slot, line]) => line < count && slotOf(line) === slot && holds(line));
    const slots = new Map(rested ? before.sort((a, b) => a[1] - b[1]) : before);
    for (let line = from; line < to; line += 1) slots.set(slotOf(line), line);
    held.current = { slots, rests };
    return [...slots];
  }, [from, to, rests, count, slotOf, holds]);
}
