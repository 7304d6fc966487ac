/** Recognition of text in pictures and scanned pages, where the policy asks for it. */
import type { OcrRules } from '@catalog/readers';
import type { Policy } from './policy.ts';
import type { Readers } from './readers-package.ts';
import type { Store } from './store.ts';

export const ocrRulesOf = ({ ocr_lang, ocr_max_pages, ocr_timeout_seconds }: Policy): OcrRules => ({
  lang: ocr_lang,
  maxPages: ocr_max_pages,
  pageSeconds: ocr_timeout_seconds,
});

/** A part of the key of a reading; empty when no text is recognised in files with this extension. */
export function ocrKey({ mayNeedOcr }: Readers, policy: Policy, extension: string): string {
  return policy.extract_ocr && mayNeedOcr(extension) ? ` ${ocrStamp(policy)}` : '';
}

const ocrStamp = ({ extract_ocr, ocr_lang, ocr_max_pages, ocr_timeout_seconds }: Policy): string =>
  extract_ocr ? `ocr ${ocr_lang} ${ocr_max_pages} ${ocr_timeout_seconds}` : 'none';

/**
 * Queues pictures and PDF files for reading when recognition is switched on or off, when its rules change, and when tesseract has been
 * installed or removed. In the last case only files whose recognition had failed are opened again: the keys of the others still match.
 */
export function startRecognising(store: Store, { ocrExtensions }: Readers, policy: Policy, obstacle: string | null): void {
  const stamp = `${ocrStamp(policy)}${policy.extract_ocr && obstacle !== null ? ' unavailable' : ''}`;
  if ((store.meta('recognising') ?? 'none') === stamp) return;
  store.transaction(() => {
    store.setMeta('recognising', stamp);
    store.run(
      `insert or ignore into unread (root, dir, name) select root, dir, name from reads
        where exists (select 1 from json_each(?) each where reads.key like '%:' || each.value || ':%')`,
      JSON.stringify(ocrExtensions),
    );
  });
}

const searchedEveryMs = 3_600_000;
let known: { at: number; lang: string; obstacle: Promise<string | null> } | undefined;

/** Why no text can be recognised here, searched once an hour because tesseract or a language may be installed later. */
export function findOcrObstacle({ ocrObstacle }: Readers, { ocr_lang }: Policy): Promise<string | null> {
  if (known?.lang !== ocr_lang || Date.now() - known.at > searchedEveryMs)
    known = { at: Date.now(), lang: ocr_lang, obstacle: ocrObstacle(ocr_lang) };
  return known.obstacle;
}
