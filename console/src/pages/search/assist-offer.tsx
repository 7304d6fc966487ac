import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Sparkles, X } from 'lucide-react';
import { useState } from 'react';
import { assistQuery } from '../../api/search.ts';
import { Button, IconButton } from '../../components/button.tsx';
import s from './assist-offer.module.css';
import { fieldWord, valueWords } from './chips.ts';
import { tokenize } from './query-text.ts';

/** Words that say how big, how old or of what kind; a search for names seldom has them. */
const TELLING =
  /\b(larger|bigger|smaller|heavier|longer|shorter|older|newer|than|between|before|after|since|until|last|this|past|today|yesterday|recent|recently|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|tagged|untagged|without|from|over|under|at least|at most|ago|huge|large|small|tiny|missing|deleted|broken|photos?|pictures?|images?|videos?|movies?|songs?|music|documents?|pdfs?|spreadsheets?|presentations?|archives?|e-?mails?|\d+\s*(k|m|g|t)i?b)\b/gi;

const SHORTEST = 3;

/** Whether what is typed reads like a sentence about files rather than words to be found. Nothing of the filter language is in it yet. */
export function looksLikeSentence(q: string): boolean {
  const tokens = tokenize(q.trim());
  if (tokens.length < SHORTEST || tokens.some((token) => token.key || token.operator || token.negated || token.text.startsWith('"')))
    return false;
  const telling = new Set([...q.matchAll(TELLING)].map((match) => match[0].toLowerCase()));
  return telling.size >= 2;
}

const WAIT_MS = 500;

/** A sentence about files is offered as filters. The translation is shown first; nothing changes until it is taken. */
export function AssistOffer({ q, onUse }: { q: string; onUse: (q: string) => void }) {
  const [slow] = useDebouncedValue(q.trim(), WAIT_MS);
  const [declined, setDeclined] = useState('');
  const asked = slow !== declined && slow === q.trim() && slow.length <= 500 && looksLikeSentence(slow);
  const answer = useQuery({
    queryKey: ['assist', slow],
    queryFn: ({ signal }) => assistQuery(slow, signal),
    enabled: asked,
    staleTime: 300_000,
    retry: false,
  });
  // A translation without a filter says no more than the words themselves.
  const found = asked && answer.data && answer.data.filters.length > 0 && answer.data.dsl !== slow ? answer.data : null;
  return (
    <div role="status">
      {found && (
        <div className={s.offer}>
          <Sparkles size={16} aria-hidden />
          <span className={s.lead}>Put as filters:</span>
          {found.terms.length > 0 && (
            <span className={s.part}>
              contains <b>{found.terms.join(' ')}</b>
            </span>
          )}
          {found.filters.map((one) => (
            <span key={one.start} className={s.part}>
              {one.negated && 'not '}
              {fieldWord(one.field)} <b>{valueWords(one.field, one.value).join(' or ')}</b>
            </span>
          ))}
          <code className="mono muted cut" title={found.dsl}>
            {found.dsl}
          </code>
          <span className="grow" />
          <Button size="s" onClick={() => onUse(found.dsl)}>
            Use these filters
          </Button>
          <IconButton size="s" label="Keep my words" onClick={() => setDeclined(slow)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}
