import { Hone } from '@hone/client';

/** The header keeps other sites from using the session. */
const OPTIONS = { baseUrl: '', headers: { 'x-hone-console': '1' } };

/** The public interface, at the page's own address. The browser's session is the credential. */
export const hone = new Hone(OPTIONS);

/** The same with a key in place of the session. */
export const honeOf = (apiKey: string): Hone => new Hone({ ...OPTIONS, apiKey });

/** The same for values that are shown: their numbers are what was sent, digit by digit. */
export const exactHone = new Hone({ ...OPTIONS, json: 'exact' });
