/** A digest of bytes as values name it, with nothing before or after it that could be a part of it. Of Postgres. */
export const DIGEST_IN_TEXT = '(?<![0-9A-Za-z])[0-9A-Za-z]{43}(?![0-9A-Za-z])';

/** One character less than a digest has, so that one which is cut between two chunks is found. */
const OVERLAP_BYTES = 42;

/** The ASCII characters of chunk `c`, and the begin of `n`, the one after it; other bytes are escaped. */
export const CHUNK_TEXT = `encode(c.bytes || coalesce(substring(n.bytes FROM 1 FOR ${OVERLAP_BYTES}), ''), 'escape')`;
