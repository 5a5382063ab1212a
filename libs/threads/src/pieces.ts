import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';

/** To read so many items takes a few milliseconds, unless they hold more than texts. */
const ITEMS = 256;

/** A list as bytes, which take no time to receive from another thread. */
export function toPieces(items: readonly unknown[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < items.length; at += ITEMS) pieces.push(serialize(items.slice(at, at + ITEMS)));
  return pieces;
}

/** The list of {@link toPieces}. The event loop turns after each piece. */
export async function fromPieces(pieces: readonly Uint8Array[]): Promise<unknown[]> {
  const items: unknown[] = [];
  for (const piece of pieces) {
    items.push(...(deserialize(piece) as unknown[]));
    await nextTurn();
  }
  return items;
}
