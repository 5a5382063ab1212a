import type { ReactNode } from 'react';

import { LinkedMedia } from '../media/linked-media.js';
import type { Block } from './block.js';
import styles from './markdown.module.css';

/** Addresses that a link may lead to. */
const SAFE = /^(?:https?:|mailto:)/i;

/** Formatted text. It has no element but these, loads nothing, and its links tell other sites nothing. */
export const Blocks = ({ blocks }: { readonly blocks: readonly Block[] }): ReactNode =>
  // They have no identity but their place.
  blocks.map((block, at) => <BlockView key={at} block={block} />);

function BlockView({ block: { kind, children = [], text = '', address = '', ...block } }: { readonly block: Block }) {
  const inner = <Blocks blocks={children} />;
  switch (kind) {
    case 'text':
      return text;
    case 'inlineCode':
      return <code>{text}</code>;
    case 'code':
      return (
        <div className={styles['code']} role="region" aria-label="Code" tabIndex={0}>
          <code>{text}</code>
        </div>
      );
    // Headings of a message are none of the page.
    case 'heading':
      return (
        <p className={styles['heading']} data-depth={block.depth}>
          {inner}
        </p>
      );
    case 'ordered':
      return <ol start={block.start}>{inner}</ol>;
    case 'list':
      return <ul>{inner}</ul>;
    case 'item':
      return (
        <li>
          {typeof block.isChecked === 'boolean' && (block.isChecked ? '☑ ' : '☐ ')}
          {inner}
        </li>
      );
    case 'link':
      return SAFE.test(address) ? (
        <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
          {inner}
        </a>
      ) : (
        inner
      );
    case 'image':
      return (
        <span>
          {text} <LinkedMedia kind="image" address={address} />
        </span>
      );
    case 'emphasis':
      return <em>{inner}</em>;
    case 'strong':
      return <strong>{inner}</strong>;
    case 'delete':
      return <del>{inner}</del>;
    case 'blockquote':
      return <blockquote>{inner}</blockquote>;
    case 'table':
      return (
        <div className={styles['scroll']} role="region" aria-label="Table of the message" tabIndex={0}>
          <table>
            <tbody>{inner}</tbody>
          </table>
        </div>
      );
    case 'tableRow':
      return <tr>{inner}</tr>;
    case 'tableCell':
      return <td>{inner}</td>;
    case 'thematicBreak':
      return <hr />;
    case 'break':
      return <br />;
    case 'paragraph':
      return <p>{inner}</p>;
  }
}
