export type BlockKind =
  | 'text'
  | 'inlineCode'
  | 'code'
  | 'heading'
  | 'list'
  | 'ordered'
  | 'item'
  | 'link'
  | 'image'
  | 'paragraph'
  | 'emphasis'
  | 'strong'
  | 'delete'
  | 'blockquote'
  | 'table'
  | 'tableRow'
  | 'tableCell'
  | 'thematicBreak'
  | 'break';

/** A part of a text in Markdown: what is shown of it, and nothing that a browser would run. */
export interface Block {
  readonly kind: BlockKind;
  readonly children?: readonly Block[];
  /** Of texts and code; of an image what stands in its place. */
  readonly text?: string;
  /** Of a heading, 1 to 6. */
  readonly depth?: number;
  /** Of an ordered list: its first number. */
  readonly start?: number;
  /** Of an item that can be ticked off; null: it cannot. */
  readonly isChecked?: boolean | null;
  /** Of links and images, as it was written. */
  readonly address?: string;
}

/** Longer texts are shown as they are: nobody formats a book in a chat. */
const MOST_CHARACTERS = 20_000;
const SIGNS = /(?:^|\n) {0,3}(?:#{1,6} |[-*+] |\d{1,9}[.)] |>|```|~~~|\|)|\*\*|__|`|\*\S|\]\(|https?:\/\//;

/** Whether a text has anything that Markdown shows in another way. */
export const isMarkdown = (text: string): boolean => text.length <= MOST_CHARACTERS && SIGNS.test(text);
