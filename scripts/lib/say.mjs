export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Prints the elapsed time every ten seconds while `work` runs. */
export async function withProgress(text, work) {
  const started = Date.now();
  say(`${text}…`);
  const tick = setInterval(() => say(`  ${text}: ${Math.round((Date.now() - started) / 1000)} s elapsed`), 10_000);
  try {
    return await work();
  } finally {
    clearInterval(tick);
  }
}
