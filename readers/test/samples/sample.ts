/** A small valid file and the facts its extractor must return. `build` must return the same bytes every time. */
export interface Sample {
  extractor: string;
  filename: string;
  build(): Buffer | Promise<Buffer>;
  /** A subset of the expected metadata. */
  expected?: Record<string, unknown>;
  title?: string;
  /** A word in the body text. */
  word?: string;
}

export const u16le = (value: number): Buffer => {
  const out = Buffer.alloc(2);
  out.writeUInt16LE(value & 0xffff);
  return out;
};
export const u32le = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value >>> 0);
  return out;
};
export const u16be = (value: number): Buffer => {
  const out = Buffer.alloc(2);
  out.writeUInt16BE(value & 0xffff);
  return out;
};
export const u32be = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value >>> 0);
  return out;
};
