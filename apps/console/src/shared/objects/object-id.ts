/** Id of the object that keeps something under a name. @param kind what it is, before the name */
export const toObjectId = (kind: string, name: string): string =>
  `${kind}-${name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')}`.slice(0, 128);
