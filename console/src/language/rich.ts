import { createElement, Fragment, type ReactNode } from 'react';
import { bracket, formatNumber, pluralForm, translated, type Values } from './text.ts';

type Tag<S extends string> = S extends `${string}</${infer Name}>${infer Rest}` ? Name | Tag<Rest> : never;
type Element = (text: ReactNode) => ReactNode;
type RichValues<S extends string> = Values<S, ReactNode> & { [Name in Tag<S>]: Element };

const PART = /<(\w+)>(.*?)<\/\1>|\{(\w+)(?:\|([^}]*))?\}/g;

/** A sentence with elements: a value may be a node, and `<link>text</link>` becomes what the function `link` makes of its text. */
export function rich<const S extends string>(text: S, values: RichValues<S>): ReactNode {
  return fill(translated(text), values as Record<string, ReactNode | Element>);
}

function fill(sentence: string, values: Record<string, ReactNode | Element>): ReactNode {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of sentence.matchAll(PART)) {
    if (match.index > at) parts.push(bracket(sentence.slice(at, match.index)));
    at = match.index + match[0].length;
    const [, tag, inside, name, forms] = match;
    const value = values[tag ?? name ?? ''];
    if (typeof value === 'function') parts.push(value(fill(inside ?? '', values)));
    else if (typeof value === 'number')
      parts.push(forms === undefined ? formatNumber(value) : bracket(pluralForm(forms.split('|'), value)));
    else parts.push(value);
  }
  if (at < sentence.length) parts.push(bracket(sentence.slice(at)));
  return createElement(Fragment, null, ...parts);
}
