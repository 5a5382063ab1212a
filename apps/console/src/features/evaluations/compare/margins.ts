/** Metric of the interface -> largest loss that is accepted. @param text JSON, as the address has it */
export function readMargins(text: string): Readonly<Record<string, number>> {
  try {
    const margins: unknown = text === '' ? null : JSON.parse(text);
    if (typeof margins !== 'object' || margins === null) return {};
    const isMargin = (entry: [string, unknown]): entry is [string, number] =>
      typeof entry[1] === 'number' && Number.isFinite(entry[1]) && entry[1] >= 0;
    return Object.fromEntries(Object.entries(margins).filter(isMargin));
  } catch {
    return {};
  }
}
