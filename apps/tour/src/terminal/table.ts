const BETWEEN = '  ';

/**
 * Lines of a table.
 *
 * @param rows the first is the head; all have as many cells
 * @param right columns that are aligned at their right
 */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const pad = (cell: string, column: number) =>
    right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join(BETWEEN).trimEnd()).join('\n');
}
