import type { Db } from '../../platform/database/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Settings } from '../../settings/index.ts';
import { checkKinds, parseQuery } from '../language/index.ts';
import { translate } from './translate.ts';

/** Translates a sentence into a query. The result is always parsed before it is returned, whether model or rules produced it. */
export async function assist({ db, model, now }: { db: Db; model: LanguageModel | null; now: Date }, text: string) {
  const notes: string[] = [];
  const parseAndCheck = async (dsl: string) => {
    const parsed = parseQuery(dsl, { now });
    await checkKinds(db, parsed);
    return parsed;
  };
  const present = (dsl: string, source: 'heuristic' | 'ollama', parsed: Awaited<ReturnType<typeof parseAndCheck>>) => ({
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
      return present(dsl, 'ollama', await parseAndCheck(dsl));
    } catch {
      // A model that is unreachable or wrong must not fail the request: the rules below always work.
      notes.push('The language model gave no usable result, so built-in rules translated the text.');
    }
  }
  const { filters, terms } = translate(text, now);
  const dsl = [...terms, ...filters].join(' ');
  try {
    const parsed = await parseAndCheck(dsl);
    if (parsed.chips.length === 0) notes.push('No filter was recognised. The search uses your words as they are.');
    return present(dsl, 'heuristic', parsed);
  } catch {
    // The rules produced an invalid query; plain words are always valid.
    const plain = text
      .replace(/[^\p{L}\p{N}\s]/gu, ' ')
      .replace(/\b(?:AND|OR|NOT)\b/g, ' ')
      .trim();
    notes.push('The filters could not be combined. The search uses your words as they are.');
    return present(plain, 'heuristic', await parseAndCheck(plain));
  }
}

/** The local language model server, if configured: translates a sentence into a query. It may fail at any time. */
interface LanguageModel {
  translate(text: string, now: Date): Promise<string>;
}

const timeoutMs = 20_000;
const maxResponseBytes = 100_000;
const maxQueryLength = 1000;

export function openModel(
  { nlOllamaUrl, nlOllamaModel }: Pick<Settings, 'nlOllamaUrl' | 'nlOllamaModel'>,
  outbound: Pick<Outbound, 'send'>,
): LanguageModel | null {
  if (!nlOllamaUrl) return null;
  return {
    async translate(text, now) {
      const { status, body, truncated } = await outbound.send('language_model', {
        url: `${String(nlOllamaUrl).replace(/\/+$/, '')}/api/chat`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        timeoutMs,
        maxResponseBytes,
        body: JSON.stringify({
          model: nlOllamaModel,
          stream: false,
          format: 'json',
          options: { temperature: 0 },
          messages: [
            { role: 'system', content: instructions(now) },
            { role: 'user', content: text },
          ],
        }),
      });
      // A redirect is not followed either.
      if (status !== 200) throw new Error(`The model server returned status ${status}.`);
      if (truncated) throw new Error('The response of the model server is too long.');
      const { message } = JSON.parse(body.toString('utf8')) as { message?: { content?: string } };
      return readQuery(JSON.parse(message?.content ?? ''));
    },
  };
}

/** Accepts `{"query": "…"}` and nothing else. The query itself is parsed by the caller before anybody sees it. */
function readQuery(answer: unknown): string {
  const { query, ...others } = Object(answer) as Record<string, unknown>;
  const isUsable = typeof query === 'string' && query.trim() !== '' && query.length <= maxQueryLength && !query.includes('\0');
  if (!isUsable || Object.keys(others).length > 0) throw new Error('The model server returned no query.');
  return query.trim();
}

function instructions(now: Date): string {
  return `Translate a request for files into one line of this filter language and answer JSON {"query": "..."} and nothing else.
Filters: kind:image|audio|video|document|archive|development|three-d-cad|system, group:<key>, ext:pdf;docx, path:<folder>, tag:<tag>, size:>10m, size:1k..2g,
modified:<30d (younger), modified:2024, modified:2024-06-01..2024-08-31, created:, year:, is:missing, has:error, meta.width:>4000, meta.duration:>600 (seconds).
Combine with AND, OR, NOT, parentheses; - negates. Other words are searched as text and may not stand inside OR. Today is ${now.toISOString().slice(0, 10)}.`;
}
