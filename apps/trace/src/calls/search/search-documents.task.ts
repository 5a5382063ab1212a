import type { CallDocument, SearchedTexts } from '@hone/calls';
import { toCallDocument } from '@hone/calls/search-document';
import type { Task } from '@hone/threads';

/** Finds the words of calls: a megabyte takes a fifth of a second. */
export const TASK: Task<readonly SearchedTexts[], CallDocument[]> = {
  module: import.meta.url,
  run: (texts) => texts.map(toCallDocument),
};
