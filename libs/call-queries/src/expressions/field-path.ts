/** A field name in two parts: the column, and the path into its JSON. */
export interface FieldPath {
  column: string;
  path: string[];
}

/** Splits at dots; `\.` is a dot within a part. */
export function parseFieldPath(name: string): FieldPath {
  const parts = name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  return { column: parts[0] as string, path: parts.slice(1) };
}
