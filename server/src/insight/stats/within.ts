/** Runs every section at once under one deadline; a section that fails or is late is named with its reason, the rest is served. */
export async function runSections<Sections extends Record<string, () => Promise<unknown>>>(
  sections: Sections,
  { sectionMs, deadlineMs }: { sectionMs: number; deadlineMs: number },
): Promise<{ values: { [Name in keyof Sections]?: Awaited<ReturnType<Sections[Name]>> }; degraded: Record<string, string> }> {
  const values: Record<string, unknown> = {};
  const degraded: Record<string, string> = {};
  const late = (ms: number) =>
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`took longer than ${ms / 1000} seconds`)), ms).unref());
  const deadline = late(deadlineMs);
  deadline.catch(() => {});
  await Promise.all(
    Object.entries(sections).map(async ([name, compute]) => {
      try {
        values[name] = await Promise.race([compute(), late(sectionMs), deadline]);
      } catch (error) {
        degraded[name] = reasonOf(error);
      }
    }),
  );
  return { values: values as never, degraded };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code === '57014' ? 'took longer than 5 seconds' : message;
}
