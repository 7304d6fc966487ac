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
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

/** "10 MB", "1.5g", "2048" as bytes. */
export function readSize(text: string): number | null {
  const match = /^\s*([\d.,]+)\s*([a-z]*)\s*$/i.exec(text);
  if (!match) return null;
  const number = Number(match[1]!.replace(',', '.'));
  const unit = UNIT[(match[2] || 'b').toLowerCase()];
  return Number.isFinite(number) && unit ? Math.round(number * unit) : null;
}

/** "2023", "2023-06", "14 Jun 2023" as epoch seconds; the end of the stretch when asked. */
export function readDay(text: string, end = false): number | null {
  const year = /^\s*(\d{4})\s*$/.exec(text);
  if (year) return Date.UTC(Number(year[1]) + (end ? 1 : 0), 0, 1) / 1000 - (end ? 1 : 0);
  const month = /^\s*(\d{4})-(\d{1,2})\s*$/.exec(text);
  if (month) return Date.UTC(Number(month[1]), Number(month[2]) - (end ? 0 : 1), 1) / 1000 - (end ? 1 : 0);
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
}
