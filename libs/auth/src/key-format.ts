import { createHash, randomInt } from 'node:crypto';

const PREFIX_LENGTH = 12;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_LENGTH = 40;

/**
 * A new key: `hone-` and 40 random letters and digits, 238 bits. The form suits clients of Weights & Biases, which take
 * what follows the first `-` for the key and want 40 characters of it at least. Earlier keys, `hone_` and 43 characters
 * of base64url, stay valid: nothing reads the form of a key.
 */
export const newApiKey = (): string =>
  `hone-${Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

/** What is stored of a key. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The characters of a key that are shown in lists. */
export const prefixOf = (key: string): string => key.slice(0, PREFIX_LENGTH);
