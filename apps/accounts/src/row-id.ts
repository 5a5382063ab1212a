const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether Postgres takes `text` for a row id; any other text names nothing. */
export const isRowId = (text: string): boolean => UUID.test(text);
