/** Worker threads run bundled JavaScript, never TypeScript sources; scripts/build-threads.mjs explains why. */
export const threadFile = (name: string): URL => new URL(`../dist/threads/${name}.js`, import.meta.url);
