/** The few DER encodings that a certificate consists of. */
const contextTag = 0xa0;

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 128) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
export const bits = (bytes: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), bytes);
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text, 'utf8'));
/** A constructed field with a context-specific tag. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Buffer => der(contextTag | number, ...parts);
/** A primitive field with a context-specific tag. */
export const implicit = (number: number, bytes: Uint8Array): Buffer => der(0x80 | number, bytes);

/** A positive integer of big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.subarray(start);
  return der(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left % 128) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

/** Dates before 2050 have two digits for the year, by rule of X.509. */
export function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}
