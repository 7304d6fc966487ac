import { expect, test } from 'vitest';
import type { Alert, AlertChannel } from '../../api/types.ts';
import { configOf } from './channel-dialog.tsx';
import { channelSummary } from './channels-card.tsx';
import { alternativesSentence, outcomeText, previewSentence, sentTo } from './labels.ts';

test('the preview says how often a rule would have fired, and what another threshold would do', () => {
  expect(previewSentence({ fired: 3, note: null })).toBe('Would have fired 3 times in the last 7 days');
  expect(previewSentence({ fired: 1, note: null })).toBe('Would have fired once in the last 7 days');
  expect(previewSentence({ fired: 0, note: null })).toBe('Would not have fired in the last 7 days');
  expect(previewSentence({ fired: null, note: null })).toContain('it needs one day');
  expect(
    alternativesSentence([
      { threshold_count: 5, fired: 6 },
      { threshold_count: 20, fired: 1 },
    ]),
  ).toBe('At 5 events it would have fired 6 times; at 20, once.');
  expect(alternativesSentence([])).toBe('');
});

test('an alert says who was told, who could not be reached and how it ended', () => {
  const delivery = (channel: string, state: 'delivered' | 'failed'): Alert['deliveries'][number] => ({
    channel_id: channel,
    channel,
    state,
    attempts: 1,
    last_error: null,
    delivered_at: null,
  });
  expect(sentTo([delivery('Operations', 'delivered'), delivery('Operations', 'delivered'), delivery('Chat', 'failed')])).toBe(
    'sent to Operations · Chat could not be reached',
  );
  expect(outcomeText({ outcome: 'acknowledged', acknowledged_by: 'ada' })).toBe('Acknowledged by ada');
  expect(outcomeText({ outcome: 'silenced', acknowledged_by: null })).toBe('Silenced');
});

test('a channel says what it is and whether its last messages failed', () => {
  const channel = {
    type: 'smtp',
    config: { to: ['a', 'b', 'c'] },
    failures: 0,
    last_error: null,
    last_delivered_at: null,
  } as unknown as AlertChannel;
  expect(channelSummary(channel)).toBe('Email to 3 people · nothing sent yet');
  expect(channelSummary({ ...channel, type: 'webhook', failures: 2, last_error: 'answered 404' })).toBe(
    'Webhook · the last 2 messages failed: answered 404',
  );
});

test('the form of a stored webhook leaves address and secret empty, which keeps them', () => {
  const config = { host: 'hooks.example.org', url: '__redacted__', secret: null, webhook_format: 'slack' };
  expect(configOf({ type: 'webhook', config } as unknown as AlertChannel, 'webhook')).toEqual({
    host: 'hooks.example.org',
    url: '',
    secret: '',
    webhook_format: 'slack',
  });
});
