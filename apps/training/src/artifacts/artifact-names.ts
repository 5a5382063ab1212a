const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;
const VERSION = /^v(0|[1-9][0-9]{0,8})$/;

/** 1 to 128 of `A-Z a-z 0-9 . _ -`, not `.` or `..`. */
export const isFileName = (text: string): boolean => FILE_NAME.test(text);

/** `v<N>` or `latest`; undefined: neither. */
export function parseVersion(text: string): number | 'latest' | undefined {
  if (text === 'latest') return 'latest';
  const match = VERSION.exec(text);
  return match ? Number(match[1]) : undefined;
}
