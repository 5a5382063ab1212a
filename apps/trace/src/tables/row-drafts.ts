import { isLargeText } from '@hone/calls/json-draft';
import {
  byCodePoint,
  bytesDigest,
  canonicalText,
  contentDigest,
  type JsonObject,
  searchableText,
  stringifyJson,
} from '@hone/contracts';

/** Most rows, and about the most characters, that one statement stores. */
const STATEMENT_ROWS = 1_000;
const STATEMENT_LENGTH = 4 * 1_048_576;

/** Rows that are stored together. */
export interface RowStatement {
  /** JSON list of objects: digest `d`, text `t` or key of its chunks `b`, searchable text `s`, size `n`. */
  readonly rows: string;
  /** Texts of those whose chunks are stored before. */
  readonly large: readonly string[];
}

interface RowDraft {
  readonly digest: string;
  /** As a statement has it. */
  readonly json: string;
  /** Text that is stored in chunks; null: it is in the row. */
  readonly large: string | null;
}

/** Collects rows, equal ones once. */
export class RowDrafts {
  private readonly byText = new Map<string, RowDraft>();

  constructor(private readonly refScheme: string) {}

  /** @returns the digest of the row */
  add(row: JsonObject): string {
    const text = stringifyJson(row);
    const draft = this.byText.get(text) ?? toDraft(row, text, this.refScheme);
    this.byText.set(text, draft);
    return draft.digest;
  }

  /** In the order of the digests, so that two calls with the same rows never deadlock. */
  statements(): RowStatement[] {
    const unique = new Map([...this.byText.values()].map((draft) => [draft.digest, draft]));
    const statements: RowStatement[] = [];
    let group: RowDraft[] = [];
    let length = 0;
    const end = () => {
      if (group.length > 0) statements.push(toStatement(group));
      [group, length] = [[], 0];
    };
    for (const draft of [...unique.values()].sort((a, b) => byCodePoint(a.digest, b.digest))) {
      group.push(draft);
      length += draft.json.length;
      if (group.length >= STATEMENT_ROWS || length >= STATEMENT_LENGTH) end();
    }
    end();
    return statements;
  }
}

function toDraft(row: JsonObject, text: string, refScheme: string): RowDraft {
  const digest = contentDigest(row, refScheme);
  const isLarge = isLargeText(text);
  const searchable = isLarge ? text : searchableText(row, text);
  const value = isLarge ? `"b":"${bytesDigest(text)}"` : `"t":${JSON.stringify(text)}`;
  const copy = searchable === text ? '' : `,"s":${searchable}`;
  const size = canonicalText(row).length; // ASCII
  return { digest, json: `{"d":"${digest}",${value}${copy},"n":${size}}`, large: isLarge ? text : null };
}

const toStatement = (drafts: readonly RowDraft[]): RowStatement => ({
  rows: `[${drafts.map(({ json }) => json).join(',')}]`,
  large: drafts.flatMap(({ large }) => large ?? []),
});
