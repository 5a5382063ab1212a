/** The checkout, with a slash at the end. */
export const REPOSITORY = new URL('../../', import.meta.url);
