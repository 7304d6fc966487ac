/** Typed arrays that double their capacity when full. */
export class GrowingU32 {
  items: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1024) {
    this.items = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.items.length) this.grow(this.length + 1);
    this.items[this.length++] = value;
  }

  grow(needed: number): void {
    if (needed <= this.items.length) return;
    const larger = new Uint32Array(Math.max(needed, this.items.length * 2));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }

  view(): Uint32Array {
    return this.items.subarray(0, this.length);
  }
}

export class GrowingU16 {
  items: Uint16Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 4096) {
    this.items = new Uint16Array(capacity);
  }

  /** Ensures capacity for `more` further items. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.items.length) return;
    const larger = new Uint16Array(Math.max(needed, this.items.length * 2));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }

  append(items: Uint16Array): void {
    this.reserve(items.length);
    this.items.set(items, this.length);
    this.length += items.length;
  }
}

export class GrowingF64 {
  items: Float64Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1024) {
    this.items = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.items.length) {
      const larger = new Float64Array(this.items.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length++] = value;
  }
}

export class GrowingBytes {
  items: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 4096) {
    this.items = new Uint8Array(capacity);
  }

  /** Ensures capacity for `more` further bytes. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.items.length) return;
    const larger = new Uint8Array(Math.max(needed, this.items.length * 2));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }

  /** Appends a LEB128 number; the caller must have reserved five bytes. */
  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.items[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.items[this.length++] = rest;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.items.set(bytes, this.length);
    this.length += bytes.length;
  }

  view(): Uint8Array {
    return this.items.subarray(0, this.length);
  }
}
