export const isRightToLeft = (): boolean => document.documentElement.dir === 'rtl';

const OPPOSITE: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** A key as it is meant where text runs from left to right: in a right-to-left layout the next column is on the left. */
export const inReadingDirection = (key: string): string => (isRightToLeft() ? (OPPOSITE[key] ?? key) : key);
