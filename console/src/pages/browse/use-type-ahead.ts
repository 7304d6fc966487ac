import { useRef } from 'react';

/** Keys typed within this time belong together. */
const TOGETHER_MS = 1000;

/** Finds the first entry whose name starts with what was typed. */
export function useTypeAhead(names: () => string[], pick: (index: number) => void) {
  const typed = useRef({ text: '', at: 0 });
  return {
    /** Whether a name is being typed, so that a space belongs to it. */
    typing: () => typed.current.text !== '' && Date.now() - typed.current.at < TOGETHER_MS,
    type: (key: string) => {
      const now = Date.now();
      const text = (now - typed.current.at < TOGETHER_MS ? typed.current.text : '') + key.toLowerCase();
      typed.current = { text, at: now };
      const at = names().findIndex((name) => name.toLowerCase().startsWith(text));
      if (at >= 0) pick(at);
    },
  };
}

/** Keys that have another meaning everywhere in the console. */
export const isTypedKey = (key: string): boolean => key.length === 1 && key !== '/' && key !== '?';
