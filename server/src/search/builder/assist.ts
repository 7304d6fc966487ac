import { checkKinds, parseQuery } from '../language/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { LanguageModel } from './model.ts';
import { translate } from './translate.ts';

/** A sentence as a query. Whoever translates, the result is parsed again before it is handed out. */
export async function assist({ db, model, now }: { db: Db; model: LanguageModel | null; now: Date }, text: string) {
  const notes: string[] = [];
  const parseAndCheck = async (dsl: string) => {
    const parsed = parseQuery(dsl, { now });
    await checkKinds(db, parsed);
    return parsed;
  };
  const answer = (dsl: string, source: 'heuristic' | 'ollama', parsed: Awaited<ReturnType<typeof parseAndCheck>>) => ({
    dsl,
    source,
    filters: parsed.chips,
    terms: parsed.words.map(({ text: word, negated }) => (negated ? `-${word}` : word)),
    notes,
    llm_available: model !== null && notes.length === 0,
  });
  if (model) {
    try {
      const dsl = await model.translate(text, now);
      return answer(dsl, 'ollama', await parseAndCheck(dsl));
    } catch {
      notes.push('The language model gave no usable answer; built-in rules translated the text.');
    }
  }
  const { filters, terms } = translate(text, now);
  const dsl = [...terms, ...filters].join(' ');
  try {
    const parsed = await parseAndCheck(dsl);
    if (parsed.chips.length === 0) notes.push('No filter was recognised; the words are searched as they are.');
    return answer(dsl, 'heuristic', parsed);
  } catch {
    // The rules met something they cannot say; the words alone always can.
    const plain = text
      .replace(/[^\p{L}\p{N}\s]/gu, ' ')
      .replace(/\b(?:AND|OR|NOT)\b/g, ' ')
      .trim();
    notes.push('The filters could not be put together; the words are searched as they are.');
    return answer(plain, 'heuristic', await parseAndCheck(plain));
  }
}
