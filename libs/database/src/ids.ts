import { v7 } from 'uuid';

/** A new id: UUIDv7 in lower case, so that ids sort by the time they were made (RFC 9562). */
export const newId = (): string => v7();
