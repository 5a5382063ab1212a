import { isJsonObject } from '@hone/client';

import { preview } from '../../shared/format/preview.js';

/** What is looked for, as texts of the address; '' is any. */
export interface AuditWanted {
  readonly who: string;
  /** An action or its area. */
  readonly what: string;
  /** Days of the reader's own time zone, `2026-01-15`, both included. */
  readonly from: string;
  readonly to: string;
}

/** The query of `GET /account/audit`. */
export function toAuditQuery({ who, what, from, to }: AuditWanted) {
  const [since, before] = [beginOf(from, 0), beginOf(to, 1)];
  return {
    ...(who !== '' && { actor: who }),
    ...(what !== '' && { action: what }),
    ...(since !== null && { from: since }),
    ...(before !== null && { to: before }),
  };
}

/** When a day begins here, or one so many days later; null: the text is no day. */
function beginOf(day: string, later: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an entry is about, as people call it: a key by its name, a model by the one that the entry noted, else its id. */
export function toSubjectText(subject: string, detail: unknown, keyNames: ReadonlyMap<string, string>): string {
  const known = keyNames.get(subject);
  if (known !== undefined || !UUID.test(subject) || !isJsonObject(detail)) return known ?? subject;
  const noted = [detail['model'], detail['label'], detail['name']].find((one) => typeof one === 'string' && one !== '');
  return (noted as string | undefined) ?? subject;
}

/** `username: ada, role: reader`; members without a value are left out. */
export function toDetailText(detail: unknown): string {
  if (!isJsonObject(detail)) return preview(detail);
  const parts = Object.entries(detail).filter(([, value]) => value !== null);
  return parts.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${preview(value)}`).join(', ');
}
