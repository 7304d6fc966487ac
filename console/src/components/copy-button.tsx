import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { t } from '../language/text.ts';
import { IconButton } from './button.tsx';
import { toast } from './toast.tsx';

/** Throws if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  if (!(await isCopied(text))) throw new Error(t('The browser did not allow copying. Select the text and copy it yourself.'));
}

async function isCopied(text: string): Promise<boolean> {
  if (navigator.clipboard && window.isSecureContext)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  // Over plain HTTP the clipboard API is unavailable; copying from a selected text area still works.
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Selecting takes the focus, which must not leave an open dialog.
  (focused?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return done;
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false);
  return (
    <IconButton
      size="s"
      label={done ? t('Copied') : label}
      onClick={() =>
        void copyText(text).then(
          () => {
            setDone(true);
            setTimeout(() => setDone(false), 1500);
          },
          (error: unknown) => toast(errorMessage(error)),
        )
      }
    >
      {done ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </IconButton>
  );
}
