import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { CleanupPlan } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { KeepRulesCard } from './keep-rules-card.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a rule that is added while another one is being saved does not replace it', async () => {
  const sent: unknown[] = [];
  const answers: (() => void)[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { rules } = (await request.json()) as { rules: unknown[] };
    sent.push(rules);
    await new Promise<void>((resolve) => answers.push(resolve));
    return Response.json({ ...plan, rules });
  });
  const plan = { rules: [], decided: [], undecided: 0, chosen: 0, offline: [] } as unknown as CleanupPlan;
  renderWithProviders(<KeepRulesCard plan={plan} libraries={[]} mayChange />);
  const add = async (rule: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Rule' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: rule }));
  };
  await add('Keep the oldest file');
  await add('Keep the shortest path');
  await waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  expect(sent).toEqual([[{ kind: 'oldest' }], [{ kind: 'oldest' }, { kind: 'shortest_path' }]]);
});
