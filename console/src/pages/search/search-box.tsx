import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { IconButton, Kbd } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import { tokenizeQuery } from './query-text.ts';
import s from './search-box.module.css';

interface SearchBoxProps {
  value: string;
  onChange: (q: string) => void;
  /** Position of a syntax error. */
  errorAt?: number | undefined;
  onEnterResults?: () => void;
  placeholder?: string;
  inputRef?: Ref<HTMLInputElement>;
  autoFocus?: boolean;
}

const DELAY_MS = 120;

/** The search box. Filter keys are colored while typing, by a colored copy under the transparent text of the input. */
export function SearchBox({
  value,
  onChange,
  errorAt,
  onEnterResults,
  placeholder = t('Search names, contents and tags'),
  inputRef,
  autoFocus,
}: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const tint = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What was typed is sent after a moment, in which filters may have changed: only the newest function knows them.
  const latestOnChange = useRef(onChange);
  useEffect(() => {
    latestOnChange.current = onChange;
  }, [onChange]);

  // The query was changed elsewhere, such as by a chip or the back button.
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (next: string, now = false) => {
    clearTimeout(timer.current);
    const run = () => {
      sent.current = next;
      latestOnChange.current(next);
    };
    if (now) run();
    else timer.current = setTimeout(run, DELAY_MS);
  };
  const type = (next: string) => {
    setText(next);
    send(next);
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    // These keys belong to the input method while it composes a word.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && text) {
      setText('');
      send('', true);
    } else if (event.key === 'Enter' || (event.key === 'ArrowDown' && onEnterResults)) {
      send(text, true);
      onEnterResults?.();
    } else return;
    event.preventDefault();
  };

  return (
    <search className={s.box}>
      <Search size={18} aria-hidden />
      <div className={s.field}>
        <div className={s.tint} ref={tint} aria-hidden>
          <Tinted text={text} errorAt={errorAt} />
        </div>
        <input
          ref={inputRef}
          type="search"
          aria-label={t('Search')}
          aria-invalid={errorAt !== undefined}
          placeholder={placeholder}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoFocus={autoFocus}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={keys}
          onScroll={(event) => {
            if (tint.current) tint.current.style.transform = `translateX(${-event.currentTarget.scrollLeft}px)`;
          }}
        />
      </div>
      {text && (
        <IconButton
          size="s"
          label={t('Clear search')}
          onClick={() => {
            setText('');
            send('', true);
          }}
        >
          <X size={16} aria-hidden />
        </IconButton>
      )}
      <span className="sm-hide">
        <Kbd>/</Kbd>
      </span>
    </search>
  );
}

function Tinted({ text, errorAt }: { text: string; errorAt: number | undefined }) {
  const out = [];
  let from = 0;
  for (const token of tokenizeQuery(text)) {
    if (token.start > from) out.push(text.slice(from, token.start));
    const wrong = errorAt !== undefined && errorAt >= token.start && errorAt < token.end;
    const cut = token.key ? token.text.indexOf(':') + 1 : 0;
    const inner = (
      <>
        {cut > 0 && <b>{token.text.slice(0, cut)}</b>}
        {token.operator ? <b>{token.text}</b> : token.text.slice(cut)}
      </>
    );
    out.push(wrong ? <u key={token.start}>{inner}</u> : <span key={token.start}>{inner}</span>);
    from = token.end;
  }
  out.push(text.slice(from));
  return <>{out}</>;
}
