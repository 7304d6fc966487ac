/**
 * WordPiece as BERT models use it: clean the text, split it at white space, punctuation and CJK characters, then cut each word into the
 * longest pieces of the vocabulary. Follows the reference implementation, including its treatment of capital sigma.
 */
export interface Tokenizer {
  /** Token ids with the start and end marks, at most `maxTokens` of them. */
  encode(text: string, maxTokens: number): number[];
}

/** The parts of tokenizer.json that matter. Its truncation and padding are for training and are ignored. */
interface TokenizerFile {
  model: {
    type: string;
    vocab: Record<string, number>;
    unk_token?: string;
    continuing_subword_prefix?: string;
    max_input_chars_per_word?: number;
  };
  normalizer?: { type?: string; lowercase?: boolean; strip_accents?: boolean | null; handle_chinese_chars?: boolean } | null;
  added_tokens?: { content: string; id: number }[];
}

export function createTokenizer(file: TokenizerFile): Tokenizer {
  const { model, normalizer } = file;
  if (model?.type !== 'WordPiece' || typeof model.vocab !== 'object')
    throw new Error(
      `The tokenizer is of type ${model?.type ?? 'unknown'}. Only models with a WordPiece tokenizer, such as BERT models, can be used.`,
    );
  const vocabulary = new Map(Object.entries(model.vocab));
  const prefix = model.continuing_subword_prefix ?? '##';
  const maxWord = model.max_input_chars_per_word ?? 100;
  const idOf = (name: string): number => {
    const id = vocabulary.get(name) ?? file.added_tokens?.find(({ content }) => content === name)?.id;
    if (id === undefined) throw new Error(`The vocabulary has no ${name}.`);
    return id;
  };
  const unknown = idOf(model.unk_token ?? '[UNK]');
  const start = idOf('[CLS]');
  const end = idOf('[SEP]');
  const lower = normalizer?.lowercase !== false;
  const stripAccents = normalizer?.strip_accents ?? lower;
  const splitChinese = normalizer?.handle_chinese_chars !== false;

  const pieces = (word: string): number[] => {
    const letters = [...word];
    if (letters.length > maxWord) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < letters.length; ) {
      let to = letters.length;
      let id: number | undefined;
      for (; to > from; to--) {
        id = vocabulary.get((from > 0 ? prefix : '') + letters.slice(from, to).join(''));
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown];
      ids.push(id);
      from = to;
    }
    return ids;
  };

  return {
    encode(text, maxTokens) {
      // Long texts are cut first: no model reads this many characters.
      let clean = cleanText(text.slice(0, maxTokens * 100), splitChinese);
      if (stripAccents) clean = clean.normalize('NFD').replace(/\p{Mn}/gu, '');
      if (lower) clean = [...clean].map((each) => each.toLowerCase()).join('');
      const ids = [start];
      for (const word of clean.match(wordPattern) ?? []) {
        ids.push(...pieces(word));
        if (ids.length >= maxTokens - 1) break;
      }
      return [...ids.slice(0, maxTokens - 1), end];
    },
  };
}

/** A word is one punctuation character, or a run of anything else but white space. Every ASCII symbol counts as punctuation. */
const wordPattern = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

const chinese =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function cleanText(text: string, splitChinese: boolean): string {
  const clean = text
    .toWellFormed()
    .replace(/[\t\n\r]/g, ' ')
    .replace(/[\0\ufffd]|\p{C}/gu, '')
    .replace(/\p{Zs}/gu, ' ');
  return splitChinese ? clean.replace(chinese, ' $& ') : clean;
}
