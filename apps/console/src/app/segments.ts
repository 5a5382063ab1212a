import { decodeOrSame } from '../shared/format/decode.js';

/**
 * The parts of an address, decoded. The router decodes only half of them (`%25` becomes `%`, `%2F` stays as it is), so that a
 * part that is decoded again is another one.
 *
 * @param pathname as the browser has it, such as `/console/p/local/default/calls/a%2Fb`
 */
export const segmentsOf = (pathname: string): readonly string[] => pathname.split('/').slice(1).map(decodeOrSame);
