import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { itemText, itemThread } from '../../../api/catalog.ts';
import { errorMessage } from '../../../api/problem.ts';
import type { Item } from '../../../api/types.ts';
import { TextLink } from '../../../components/button.tsx';
import { formatDateTime } from '../../../format/dates.ts';
import { formatBytes } from '../../../format/numbers.ts';
import { t } from '../../../language/text.ts';
import s from './rich.module.css';

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '');

/** The attachments that the catalog has recorded of a message. */
function attachmentsOf(item: Pick<Item, 'metadata'>): { name: string; size: number | null }[] {
  const list = item.metadata['attachments'];
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return [{ name: one, size: null }];
    const { name, size } = (one ?? {}) as { name?: unknown; size?: unknown };
    return typeof name === 'string' ? [{ name, size: typeof size === 'number' ? size : null }] : [];
  });
}

const dateOf = (date: string): string => (date && !Number.isNaN(Date.parse(date)) ? formatDateTime(date) : date);

/** The other messages of the thread that are in the catalog. */
function Thread({ item }: { item: Item }) {
  const thread = useQuery({
    queryKey: ['item', item.id, 'thread'],
    queryFn: () => itemThread(item.id),
    enabled: typeof item.metadata['email_thread'] === 'string',
    staleTime: 60_000,
  });
  const messages = thread.data?.messages ?? [];
  if (messages.length < 2) return null;
  return (
    <section className={s.thread} aria-labelledby="thread-heading">
      <h3 id="thread-heading">{t('{n|# message|# messages} in this thread', { n: messages.length })}</h3>
      <ol>
        {messages.map(({ id, subject, from, date, rel_path }) => (
          <li key={id}>
            {id === item.id ? (
              <b aria-current="true">{subject ?? rel_path}</b>
            ) : (
              <TextLink href={`#/item/${id}`}>{subject ?? rel_path}</TextLink>
            )}
            <span>
              <bdi>{from}</bdi> {dateOf(date ?? '')}
            </span>
          </li>
        ))}
      </ol>
      {thread.data?.capped && <p>{t('Not all messages are shown.')}</p>}
    </section>
  );
}

/** A message: its headers, its text without markup, and its attachments. Nothing of it is run or loaded. */
export function MailView({ item }: { item: Item }) {
  const body = useQuery({
    queryKey: ['item', item.id, 'extracted-text'],
    queryFn: ({ signal }) => itemText(item.id, signal),
    enabled: item.has_text,
    staleTime: 60_000,
    retry: false,
  });
  const meta = item.metadata;
  const date = textOf(meta['email_date']);
  const headers = [
    [t('From'), textOf(meta['email_from'])],
    [t('To'), textOf(meta['email_to'])],
    [t('Cc'), textOf(meta['email_cc'])],
    [t('Date'), dateOf(date)],
  ].filter(([, value]) => value);
  const attachments = attachmentsOf(item);
  return (
    <article className={s.mail}>
      <h2>{textOf(meta['email_subject']) || t('No subject')}</h2>
      <dl>
        {headers.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {attachments.length > 0 && (
        <ul aria-label={t('Attachments')}>
          {attachments.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
            <li key={at}>
              <Paperclip size={14} aria-hidden /> <bdi>{one.name}</bdi>
              {one.size !== null && <span> {formatBytes(one.size)}</span>}
            </li>
          ))}
        </ul>
      )}
      <Thread item={item} />
      {/* Form feeds separate the messages of a mailbox. */}
      <div className={s.mailBody} dir="auto">
        {body.data?.text.replaceAll('\f', '\n\n') ??
          (body.isLoading ? t('Loading the message…') : body.error ? errorMessage(body.error) : t('This message has no text.'))}
      </div>
    </article>
  );
}
