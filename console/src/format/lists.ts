import { locale } from '../language/text.ts';

const disjunction = new Intl.ListFormat(locale(), { type: 'disjunction' });
const conjunction = new Intl.ListFormat(locale(), { type: 'conjunction' });

/** "Photos or Studio". */
export const orList = (values: readonly string[]): string => disjunction.format(values);
/** "Operations and Chat". */
export const andList = (values: readonly string[]): string => conjunction.format(values);

const byName = new Intl.Collator(locale(), { numeric: true });
/** Sort order of names: "Disk 2" before "Disk 10". */
export const compareNames = (a: string, b: string): number => byName.compare(a, b);
