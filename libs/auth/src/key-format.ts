import { createHash, randomBytes } from 'node:crypto';

const PREFIX_LENGTH = 12;

/** A new key: `hone_` and 256 random bits as 43 base64url characters. */
export const newApiKey = (): string => `hone_${randomBytes(32).toString('base64url')}`;

/** What is stored of a key. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The characters of a key that are shown in lists. */
export const prefixOf = (key: string): string => key.slice(0, PREFIX_LENGTH);
