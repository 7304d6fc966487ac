import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Sparkles, X } from 'lucide-react';
import { useState } from 'react';
import { assistQuery } from '../../api/search.ts';
import { Button, IconButton } from '../../components/button.tsx';
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
  return (
    <div role="status">
      {found && (
        <div className={s.offer}>
          <Sparkles size={16} aria-hidden />
          <span className={s.lead}>Suggested filters:</span>
          {found.terms.length > 0 && (
            <span className={s.part}>
              contains <b>{found.terms.join(' ')}</b>
            </span>
          )}
          {found.filters.map((one) => (
            <span key={one.start} className={s.part}>
              {one.negated && 'not '}
              {fieldLabel(one.field)} <b>{valueLabels(one.field, one.value).join(' or ')}</b>
            </span>
          ))}
          <code className="mono muted cut" title={found.dsl}>
            {found.dsl}
          </code>
          <span className="grow" />
          <Button size="s" onClick={() => onUse(found.dsl)}>
            Use these filters
          </Button>
          <IconButton size="s" label="Dismiss" onClick={() => setDeclined(debounced)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}
