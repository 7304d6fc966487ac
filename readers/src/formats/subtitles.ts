import type { Extracted, Extractor } from '../contract.ts';
import { createBodyText } from '../body-text.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { languageInName } from './subtitles/language.ts';
import { readCues } from './subtitles/cues.ts';
import { withoutEmpty, readTextHead } from './text-head.ts';

const maxBytes = 32 * 1024 * 1024;

/** Subtitles: the language their name tells, how many cues, how long, and the spoken text for search. */
export const subtitles: Extractor = {
  name: 'subtitles',
  version: 1,
  extensions: ['srt', 'vtt', 'ass', 'ssa', 'sub', 'sbv', 'smi', 'sami', 'ttml', 'dfxp', 'lrc', 'mpsub', 'idx'],
  tools: [],
  keys: ['subtitles', ...['format', 'cues', 'language', 'forced', 'hearing_impaired'].map((key) => `subtitles.${key}`), 'duration'],
  read: async (source): Promise<Extracted> => {
    const named = languageInName(source.filename);
    if (await isVobSubStream(source)) return { metadata: { subtitles: withoutEmpty({ format: 'vobsub', ...named }) } };
    const { text } = await readTextHead(source, maxBytes);
    const { format, cues, language } = readCues(source.extension, text);
    const body = createBodyText(source.limits.bodyTextMaxChars);
    let last = 0;
    let previous = '';
    for (const cue of cues) {
      last = Math.max(last, cue.end ?? cue.start ?? 0);
      // Rolling captions repeat the line before.
      if (cue.text !== '' && cue.text !== previous) {
        body.add(cue.text);
        body.break();
      }
      previous = cue.text;
    }
    return {
      metadata: {
        subtitles: withoutEmpty({ format, cues: cues.length, language, ...named }),
        ...(last > 0 ? { duration: Math.round(last * 1000) / 1000 } : {}),
      },
      ...body.result(),
    };
  },
};

/** `.sub` is also the picture half of VobSub: an MPEG stream, no text. */
async function isVobSubStream(source: Parameters<Extractor['read']>[0]): Promise<boolean> {
  if (source.extension !== 'sub') return false;
  return withFileBytes(source, (file) => file.read(0, 4).equals(Buffer.from([0, 0, 1, 0xba])));
}
