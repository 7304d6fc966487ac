/*
 * Texts that are typed and not saved yet, kept in this browser so that a closed tab loses nothing.
 * A draft goes when its text is saved, when it is given up, and with everything else when one signs out.
 */
const PREFIX = 'catalog.draft.';

/** Storage can be full or forbidden; then typing goes on without a net. */
function tryStorage<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}

export const readDraft = (key: string): string | null => tryStorage(() => localStorage.getItem(PREFIX + key));

export function saveDraft(key: string, text: string | null): void {
  tryStorage(() => (text === null ? localStorage.removeItem(PREFIX + key) : localStorage.setItem(PREFIX + key, text)));
}

export function clearDrafts(): void {
  tryStorage(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  });
}
