import type { Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

import type { Block } from './block.js';

/** What is deeper is text: a page is not nested by hundreds. */
const MAX_LEVELS = 24;

/** The tree of a text in Markdown, as GitHub reads it. Of HTML in it nothing is left but text. */
export function parseMarkdown(text: string): readonly Block[] {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return tree.children.map((child) => toBlock(child, text, 1));
}

function toBlock(node: RootContent, source: string, level: number): Block {
  if (level > MAX_LEVELS) return asText(node, source);
  const children = 'children' in node ? node.children.map((child) => toBlock(child, source, level + 1)) : [];
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'code':
      return { kind: node.type, text: node.value };
    case 'heading':
      return { kind: 'heading', children, depth: node.depth };
    case 'list':
      return { kind: node.ordered ? 'ordered' : 'list', children, start: node.start ?? 1 };
    case 'listItem':
      return { kind: 'item', children, isChecked: node.checked ?? null };
    case 'link':
      return { kind: 'link', children, address: node.url };
    case 'image':
      return { kind: 'image', text: node.alt ?? '', address: node.url };
    case 'paragraph':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'blockquote':
    case 'table':
    case 'tableRow':
    case 'tableCell':
    case 'thematicBreak':
    case 'break':
      return { kind: node.type, children };
    default:
      // HTML, footnotes, references: as they were written.
      return asText(node, source);
  }
}

const asText = ({ position }: Nodes, source: string): Block => ({
  kind: 'text',
  text: source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0),
});
