/** Words before the first mark or number of a name; of `openai/gpt-5-mini` that of its last part. */
const FIRST_WORD = /^\p{L}+/u;

/** Models of one family share training, style and taste: `gpt` of `openai/gpt-5-mini`. Null: the name has no word. */
export function familyOf(model: string): string | null {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return FIRST_WORD.exec(name)?.[0] ?? null;
}
