/** Words to the person at the terminal: what is being done, and a sign of life when it takes longer than two seconds. */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Shows the seconds that pass while `work` runs. */
export async function withProgress(text, work) {
  const started = Date.now();
  say(`${text}…`);
  const tick = setInterval(() => say(`  ${text}: ${Math.round((Date.now() - started) / 1000)} s so far`), 10_000);
  try {
    return await work();
  } finally {
    clearInterval(tick);
  }
}
