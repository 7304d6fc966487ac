/*
 * Unsaved text, kept in local storage so that closing the tab loses nothing.
 * A draft is removed when its text is saved or discarded, and all drafts are removed on sign-out.
 */
const PREFIX = 'catalog.draft.';

/** Storage may be full or disabled; then drafts are not kept and typing still works. */
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
