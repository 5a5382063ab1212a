/** A server-sent event that names its type. @param data has the type as its first member */
export const toEvent = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
