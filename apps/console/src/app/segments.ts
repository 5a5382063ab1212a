/**
 * The parts of an address, decoded. The router decodes only half of them (`%25` becomes `%`, `%2F` stays as it is), so that a
 * part that is decoded again is another one.
 *
 * @param pathname as the browser has it, such as `/console/p/local/default/calls/a%2Fb`
 */
export const segmentsOf = (pathname: string): readonly string[] => pathname.split('/').slice(1).map(decode);

/** Somebody's typing error is a name of nothing, not an error of the page. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
