/** The text that `json`, a string without its quotes, is. */
export const textOf = (json: string): string => (json.includes('\\') ? (JSON.parse(`"${json}"`) as string) : json);

/** A server-sent event that names its type. @param data has the type as its first member */
export const toEvent = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
