import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Sparkles, X } from 'lucide-react';
import { useState } from 'react';
import { assistQuery } from '../../api/search.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { orList } from '../../format/lists.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import s from './assist-offer.module.css';
import { fieldLabel, valueLabels } from './chips.ts';
import { tokenizeQuery } from './query-text.ts';

/** Words about size, date or file type, which are rare in searches for names. */
const DESCRIPTIVE =
  /\b(larger|bigger|smaller|heavier|longer|shorter|older|newer|than|between|before|after|since|until|last|this|past|today|yesterday|recent|recently|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|tagged|untagged|without|from|over|under|at least|at most|ago|huge|large|small|tiny|missing|deleted|broken|photos?|pictures?|images?|videos?|movies?|songs?|music|documents?|pdfs?|spreadsheets?|presentations?|archives?|e-?mails?|\d+\s*(k|m|g|t)i?b)\b/gi;

const MIN_WORDS = 3;

/** Whether the query reads like a description of files, such as "photos larger than 10 MB", and uses no filter syntax. */
export function looksLikeSentence(q: string): boolean {
  const tokens = tokenizeQuery(q.trim());
  if (tokens.length < MIN_WORDS || tokens.some((token) => token.key || token.operator || token.negated || token.text.startsWith('"')))
    return false;
  return new Set([...q.matchAll(DESCRIPTIVE)].map((match) => match[0].toLowerCase())).size >= 2;
}

const DEBOUNCE_MS = 500;

/** Offers a description of files as filters. Nothing changes until the user accepts. */
export function AssistOffer({ q, onUse }: { q: string; onUse: (q: string) => void }) {
  const [debounced] = useDebouncedValue(q.trim(), DEBOUNCE_MS);
  const [declined, setDeclined] = useState('');
  // The filters the user took out, by the translation they belong to.
  const [removed, setRemoved] = useState<{ dsl: string; starts: number[] }>({ dsl: '', starts: [] });
  const enabled = debounced !== declined && debounced === q.trim() && debounced.length <= 500 && looksLikeSentence(debounced);
  const assist = useQuery({
    queryKey: ['assist', debounced],
    queryFn: ({ signal }) => assistQuery(debounced, signal),
    enabled,
    staleTime: 300_000,
    retry: false,
  });
  // A translation without filters adds nothing to the words.
  const found = enabled && assist.data && assist.data.filters.length > 0 && assist.data.dsl !== debounced ? assist.data : null;
  const starts = found && removed.dsl === found.dsl ? removed.starts : [];
  const kept = found?.filters.filter((one) => !starts.includes(one.start)) ?? [];
  const dsl = found ? withoutFilters(found.dsl, found.filters, starts) : '';
  return (
    <div role="status">
      {found && kept.length > 0 && (
        <div className={s.offer}>
          <Sparkles size={16} aria-hidden />
          <span className={s.lead}>{t('Suggested filters:')}</span>
          {found.terms.length > 0 && <span className={s.part}>{rich('contains {terms}', { terms: <b>{found.terms.join(' ')}</b> })}</span>}
          {kept.map((one) => {
            const values = orList(valueLabels(one.field, one.value));
            return (
              <span key={one.start} className={s.chip}>
                <span>
                  {one.negated ? t('not {field}', { field: fieldLabel(one.field) }) : fieldLabel(one.field)} <b>{values}</b>
                </span>
                <IconButton
                  size="s"
                  label={t('Leave out {fieldLabel} {values}', { fieldLabel: fieldLabel(one.field), values })}
                  onClick={() => setRemoved({ dsl: found.dsl, starts: [...starts, one.start] })}
                >
                  <X size={14} aria-hidden />
                </IconButton>
              </span>
            );
          })}
          <code className="mono muted cut" title={dsl}>
            {dsl}
          </code>
          <span className="grow" />
          <Button size="s" onClick={() => onUse(dsl)}>
            {t('Use these filters')}
          </Button>
          <IconButton size="s" label={t('Dismiss')} onClick={() => setDeclined(debounced)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}

/** The query without some of its filters. An empty group or a dangling OR is left out as well. */
export function withoutFilters(dsl: string, filters: readonly { start: number; end: number }[], starts: readonly number[]): string {
  let text = dsl;
  for (const { start, end } of filters.filter((one) => starts.includes(one.start)).sort((a, b) => b.start - a.start))
    text = `${text.slice(0, start)}${text.slice(end)}`;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text
      .replace(/\(\s*OR\s+|\s+OR\s*\)/g, (part) => (part.startsWith('(') ? '(' : ')'))
      .replace(/\bOR\s+OR\b/g, 'OR')
      .replace(/-?\(\s*\)/g, '')
      .replace(/^\s*OR\s+|\s+OR\s*$/g, '');
  }
  return text.replace(/\s+/g, ' ').trim();
}
