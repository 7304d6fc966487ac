/** The words an item is about, most telling first: those of its names before those its text repeats. */
const stopWords = new Set(
  'about after also because been before being between both could does down each even from have here into just like made make many more most much must only other over same should some such than that their them then there these they this those through under very were what when where which while will with would your und der die das mit von für nicht les des une pour dans avec para con los las del'.split(
    ' ',
  ),
);

const mostTerms = 12;

export interface Describable {
  title: string | null;
  filename: string;
  extension: string | null;
  tags: readonly string[];
  names: readonly string[];
  /** Null when the caller may not read content. */
  body: string | null;
}

export function describingTerms({ title, filename, extension, tags, names, body }: Describable): string[] {
  const stem = extension ? filename.slice(0, -(extension.length + 1)) : filename;
  const named = [title ?? '', stem, ...tags, ...names].flatMap(wordsOf).filter((word) => word.length >= 3 && !/^\d{1,3}$/.test(word));
  const counts = new Map<string, number>();
  for (const word of wordsOf((body ?? '').slice(0, 200_000)))
    if (word.length >= 4 && !stopWords.has(word) && !/^\d+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const repeated = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
  return [...new Set([...named.filter((word) => !stopWords.has(word)).slice(0, 8), ...repeated])].slice(0, mostTerms);
}

function wordsOf(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}]+|\d{4,}/gu) ?? []
  );
}
