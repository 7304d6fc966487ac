// @ts-ignore: decorator
@inline
function bytesOf(at: usize): usize {
  return ((ctz<u32>(~load<u32>(at) & 0x80808080) >> 3) + 1) as usize;
}

/** Returns whether the forward-stream entries at … end - 1 (FORMAT.md) have exactly this many tokens, not counting extra tokens. */
function hasTokens(at: usize, end: usize, tokens: u32): bool {
  let found: u32 = 0;
  while (at < end) {
    const first = load<u8>(at);
    at += bytesOf(at);
    if (first >= 2) {
      if (++found > tokens) return false;
    } else if (first == 0) {
      at += bytesOf(at);
      at += bytesOf(at);
    }
  }
  return found == tokens;
}

/** Sets the bit of every document that has a searched field with exactly this many tokens, not counting extra tokens. */
export function setLengths(dst: usize, documents: u32, forward: usize, starts: usize, searched: u32, tokens: u32): void {
  for (let doc: u32 = 0; doc < documents; doc++) {
    const head = starts + ((doc as usize) << 2);
    let at = forward + (load<u32>(head) as usize);
    const end = forward + (load<u32>(head, 4) as usize);
    while (at < end) {
      const field: u32 = load<u8>(at++);
      const four = load<u32>(at), last = ctz<u32>(~four & 0x80808080);
      at += ((last >> 3) + 1) as usize;
      const length = ((four & 0x7f) | ((four >> 1) & 0x3f80) | ((four >> 2) & 0x1fc000) | ((four >> 3) & 0xfe00000)) & (0xfffffff >> (28 - (((last + 1) * 7) >> 3)));
      if ((searched >> field) & 1 && hasTokens(at, at + length, tokens)) {
        const word = dst + ((doc >> 5) << 2);
        store<u32>(word, load<u32>(word) | (1 << (doc & 31)));
        break;
      }
      at += length;
    }
  }
}
