/** A run of words; a `gap` stands for equal lines that are left out. */
export interface WordPart {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
  /** Of a gap; 0: it is none. */
  readonly lines: number;
}

/** The part of a diff library that is used here. */
interface WordDiffLibrary {
  diffWordsWithSpace(
    before: string,
    after: string,
    limits: { readonly maxEditLength: number; readonly timeout: number },
  ): readonly { readonly value: string; readonly added?: boolean; readonly removed?: boolean }[] | undefined;
}

/** Beyond these, one text stands for the other as a whole: somebody types while this runs. */
const LIMITS = { maxEditLength: 2_000, timeout: 100 };
/** Equal lines beside a change that stay. */
const CONTEXT = 2;

/** The words of two texts: what both have, what was removed, what was added. */
export function wordDiff(library: WordDiffLibrary, before: string, after: string): readonly WordPart[] {
  const found = library.diffWordsWithSpace(before, after, LIMITS) ?? [
    { value: before, removed: true },
    { value: after, added: true },
  ];
  return found.flatMap(({ value, added, removed }, at): WordPart[] => {
    if (value === '') return [];
    if (added || removed) return [{ kind: added ? 'added' : 'removed', text: value, lines: 0 }];
    return cut(value, at === 0, at === found.length - 1);
  });
}

/** An equal text without the lines that are far from every change. */
function cut(text: string, isFirst: boolean, isLast: boolean): WordPart[] {
  const lines = text.split('\n');
  const [head, tail] = [isFirst ? 0 : CONTEXT + 1, isLast ? 0 : CONTEXT + 1];
  const left = lines.length - head - tail;
  const same = (part: readonly string[]): WordPart[] =>
    part.length === 0 ? [] : [{ kind: 'same', text: part.join('\n'), lines: 0 }];
  if (left <= 1 || (isFirst && isLast)) return same(lines);
  const gap: WordPart = { kind: 'gap', text: '', lines: left };
  return [...same(lines.slice(0, head)), gap, ...same(lines.slice(lines.length - tail))].filter(
    (part) => part.kind !== 'same' || part.text !== '',
  );
}
