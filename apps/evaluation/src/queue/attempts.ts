import { RETRY_DELAYS_MS, SERVICE_PATIENCE_MS } from '@hone/service-client';

import type { Claim, Finding, Settlement } from './claim.record.js';

/** A gateway that starts again is waited for so long; its absence is no failed try of an item. */
export const GATEWAY_PATIENCE_MS = SERVICE_PATIENCE_MS;

/** Begins the ids of an item's requests to the gateway: by its uid their costs are found, whoever asked. */
export const requestIdOf = ({ uid, attempt }: Claim): string => `${uid}.${attempt}`;

/** A failure that may be gone later makes the item wait, unless it was tried often enough. */
export function toSettlement({ id, attempt, failures }: Claim, found: Finding): Settlement {
  const { state, code, costNanoUsd, isCostOpen, isTransient } = found;
  const delayMs = isTransient ? RETRY_DELAYS_MS[failures] : undefined;
  return {
    ...{ id, attempt, code, costNanoUsd, isCostOpen },
    ...{ state: delayMs === undefined ? state : 'pending', delayMs: delayMs ?? 0 },
  };
}
