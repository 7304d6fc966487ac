/** Typos for a peer that knows none: its terms by first letter, each held against the word with a bounded edit distance. */
export function createVocabulary(terms: readonly string[]) {
  const byLetter = Map.groupBy(terms, (term) => term[0]);
  return {
    near: (word: string): string[] => {
      const budget = word.length >= 9 ? 2 : word.length >= 5 ? 1 : 0;
      const candidates = byLetter.get(word[0]) ?? [];
      return candidates.filter((term) => Math.abs(term.length - word.length) <= budget && within(word, term, budget));
    },
  };
}

function within(a: string, b: string, budget: number): boolean {
  let older = new Uint8Array(b.length + 1);
  let old = Uint8Array.from({ length: b.length + 1 }, (_, index) => index);
  let current = new Uint8Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      let value = Math.min(old[j]! + 1, current[j - 1]! + 1, old[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, older[j - 2]! + 1);
      current[j] = value;
      least = Math.min(least, value);
    }
    if (least > budget) return false;
    [older, old, current] = [old, current, older];
  }
  return old[b.length]! <= budget;
}
