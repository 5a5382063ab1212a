/** What an `Authorization` header carries. */
export interface Credentials {
  scheme: 'basic' | 'bearer';
  /** Basic only. */
  username?: string;
  key: string;
}

const MAX_HEADER = 2_048;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Reads `Basic base64(<username>:<key>)` or `Bearer <key>`; undefined when it is neither. */
export function parseAuthorization(header: string): Credentials | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const [scheme = '', value = '', ...rest] = header.trim().split(/ +/);
  if (rest.length || value === '') return undefined;
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return { scheme: 'bearer', key: value };
    case 'basic': {
      if (!BASE64.test(value)) return undefined;
      const decoded = Buffer.from(value, 'base64').toString('utf8');
      const colon = decoded.indexOf(':');
      if (colon < 0) return undefined;
      return { scheme: 'basic', username: decoded.slice(0, colon), key: decoded.slice(colon + 1) };
    }
    default:
      return undefined;
  }
}
