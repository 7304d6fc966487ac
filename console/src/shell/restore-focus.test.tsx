import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { afterEach, expect, test } from 'vitest';
import { useRestoreFocus } from './restore-focus.ts';

afterEach(cleanup);

function Page({ open }: { open: boolean }) {
  useRestoreFocus();
  return (
    <>
      <button type="button">opens</button>
      {open &&
        createPortal(
          <div role="dialog">
            <input aria-label="inside" />
          </div>,
          document.body,
        )}
    </>
  );
}

test('closing a dialog returns the focus to the button that opened it', async () => {
  const { rerender } = render(<Page open={false} />);
  screen.getByText('opens').focus();
  rerender(<Page open />);
  screen.getByLabelText('inside').focus();
  rerender(<Page open={false} />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('opens')));
});
