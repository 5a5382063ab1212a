import { withoutScheme, withScheme } from '@hone/contracts';

/** A ref with this server's scheme, whatever scheme it came in. */
export const ownRef = (ref: string, scheme: string): string => withScheme(withoutScheme(ref), scheme);
