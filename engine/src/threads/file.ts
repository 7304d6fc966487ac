/** Where a thread's code lies: always the built file (scripts/build-threads.mjs says why), from the sources and from another thread alike. */
export const threadFile = (name: string): URL => new URL(`../../dist/threads/${name}.js`, import.meta.url);
