const WORDS: Record<string, string> = {
  ocr: 'Read from the picture by text recognition; letters may be wrong.',
  subtitles: 'The subtitles of the film.',
  members: 'The names inside the archive.',
};

/** Where the words come from, when it is not simply the file's own text. */
export const sourceWords = (source: string): string | null => WORDS[source] ?? null;
