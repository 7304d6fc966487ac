import { type ReactNode, useMemo } from 'react';
import { t } from '../../../language/text.ts';
import { type Block, type Inline, isWebLink, parseInline, parseMarkdown } from './markdown-blocks.ts';
import s from './rich.module.css';

/** Markdown as a document. It is built from elements, never from HTML of the file, and loads no images. */
export function MarkdownView({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div className={s.markdown}>{blocks.map(renderBlock)}</div>;
}

function renderBlock(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case 'heading': {
      // The page has a heading of its own above these.
      const Heading = `h${Math.min(6, block.level + 1)}` as 'h2';
      return <Heading key={key}>{inline(block.text)}</Heading>;
    }
    case 'code':
      return (
        <pre key={key}>
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return <blockquote key={key}>{block.blocks.map(renderBlock)}</blockquote>;
    case 'list': {
      const items = block.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other identity
        <li key={at}>{item.length === 1 && item[0]?.kind === 'paragraph' ? inline(item[0].text) : item.map(renderBlock)}</li>
      ));
      return block.ordered ? (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      );
    }
    case 'table':
      return (
        <div key={key} className={s.scrollX}>
          <table className={s.table}>
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
                  <th key={at} scope="col">
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity
                <tr key={at}>
                  {row.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other identity
                    <td key={column}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr key={key} />;
    default:
      return <p key={key}>{inline(block.text)}</p>;
  }
}

const inline = (text: string): ReactNode[] => parseInline(text).map(renderInline);

function renderInline(part: Inline, key: number): ReactNode {
  switch (part.kind) {
    case 'code':
      return <code key={key}>{part.text}</code>;
    case 'strong':
      return <strong key={key}>{part.parts.map(renderInline)}</strong>;
    case 'em':
      return <em key={key}>{part.parts.map(renderInline)}</em>;
    case 'del':
      return <del key={key}>{part.parts.map(renderInline)}</del>;
    case 'link':
      return isWebLink(part.href) ? (
        <a key={key} href={part.href} target="_blank" rel="noopener noreferrer">
          {part.parts.map(renderInline)}
        </a>
      ) : (
        <span key={key}>{part.parts.map(renderInline)}</span>
      );
    case 'image':
      return (
        <span key={key} className={s.image}>
          {part.alt ? t('Image: {alt}', { alt: part.alt }) : t('Image without description')}
        </span>
      );
    case 'break':
      return <br key={key} />;
    default:
      return part.text;
  }
}
