const DAY_MS = 86_400_000;

/** How long a new key works, in days; null: until it is revoked. */
export const LIFETIMES = [
  { name: '7 days', days: 7 },
  { name: '30 days', days: 30 },
  { name: '90 days', days: 90 },
  { name: 'a year', days: 365 },
  { name: 'for ever', days: null },
] as const;

/** The one that is offered first: a key that is forgotten ends by itself. */
export const USUAL_LIFETIME = '90 days';

/** When a key that is made now stops to work, ISO 8601; null: never. @param name of a lifetime, else the usual one */
export function expiryOf(name: string, nowMs: number): string | null {
  const chosen = LIFETIMES.find((one) => one.name === name) ?? LIFETIMES.find((one) => one.name === USUAL_LIFETIME);
  return chosen && chosen.days !== null ? new Date(nowMs + chosen.days * DAY_MS).toISOString() : null;
}
